#ifndef VERNIER_SUGGEST_DESIGN_INITIAL_DESIGN_H_
#define VERNIER_SUGGEST_DESIGN_INITIAL_DESIGN_H_

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>

#include "suggest/space/search_space_encoding.h"

namespace vernier {

/// Number of trials to start before a model is used: twice the number of
/// parameters that can vary, but 4 to 10.
int InitialDesignSize(const SearchSpaceEncoding& encoding);

/// True if the next trial should come from the design, because too few were
/// started or too few have ended to learn from.
bool BelongsToInitialDesign(const SearchSpaceEncoding& encoding,
                            std::size_t num_completed, std::size_t num_pending);

/// Row of the study's scrambled Sobol' sequence for trial number `trial` >= 1.
/// A function of its arguments alone, however calls are grouped.
Eigen::RowVectorXd SobolRow(const SearchSpaceEncoding& encoding,
                            std::uint64_t seed, std::int64_t trial);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_DESIGN_INITIAL_DESIGN_H_
