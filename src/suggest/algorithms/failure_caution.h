#ifndef VERNIER_SUGGEST_ALGORITHMS_FAILURE_CAUTION_H_
#define VERNIER_SUGGEST_ALGORITHMS_FAILURE_CAUTION_H_

#include "suggest/space/search_space_encoding.h"
#include "suggest/space/study_view.h"

namespace vernier {

/// Returns the weight of the log-probability of success (weighted_gain.h) in a
/// study's next trial. The best is often beside the border to what fails, and
/// each failure there costs a trial: the more of the last trials failed, the
/// farther the next ones keep away. kUsualCaution while one in thirty does.
double FailureCaution(const StudyView& view,
                      const SearchSpaceEncoding& encoding);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ALGORITHMS_FAILURE_CAUTION_H_
