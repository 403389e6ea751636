#ifndef VERNIER_SUGGEST_MEMORY_PRIOR_ROWS_H_
#define VERNIER_SUGGEST_MEMORY_PRIOR_ROWS_H_

#include <cstddef>

#include "suggest/gp/regression_data.h"
#include "suggest/space/prior_study.h"
#include "suggest/space/search_space_encoding.h"

namespace vernier {

/// Returns an earlier study's trials as rows of the later study's encoding,
/// with targets that have a warp of their own. Trials at one place become one
/// row with their median and less noise. Of more than `most_trials` the best
/// half of that number is taken, and the others spread over the rest. Empty if
/// too few places have values, or if all values are equal.
RegressionData MakePriorRows(const PriorStudy& study,
                             const SearchSpaceEncoding& encoding,
                             std::size_t most_trials);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_MEMORY_PRIOR_ROWS_H_
