#ifndef VERNIER_SUGGEST_ALGORITHMS_DISASTERS_H_
#define VERNIER_SUGGEST_ALGORITHMS_DISASTERS_H_

#include <optional>

#include "suggest/space/study_view.h"

namespace vernier {

/// Returns the view of a study of several metrics with its disasters as
/// failures; nullopt if it has none. They are results that lie below the median
/// of a metric by ten thousand times as much as the best lies above it, while
/// another result that meets all constraints is better in every metric. Such a
/// value, of a training that diverged, is no point of a smooth function. In a
/// model of the metric the other values would be alike beside it, or all of
/// them noise. O(n m) where there are none.
std::optional<StudyView> DisastersAsFailures(const StudyView& view);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ALGORITHMS_DISASTERS_H_
