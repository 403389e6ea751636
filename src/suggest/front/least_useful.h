#ifndef VERNIER_SUGGEST_FRONT_LEAST_USEFUL_H_
#define VERNIER_SUGGEST_FRONT_LEAST_USEFUL_H_

#include "suggest/space/study_view.h"

namespace vernier {

/// Returns `view` with Observation::least_useful set, for a study of one metric
/// with constraints.
///
/// The best value that meets the constraints may be worse than most values, and
/// the model must still see the differences near it. So after each result, the
/// useful range reaches as far below the best value so far that meets the
/// constraints as the best of all lies above it. Results before the first that
/// meets them get nothing. Depends on earlier results only. O(n).
StudyView WithLeastUseful(const StudyView& view);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_FRONT_LEAST_USEFUL_H_
