#ifndef VERNIER_SUGGEST_ALGORITHMS_STALE_VALUES_H_
#define VERNIER_SUGGEST_ALGORITHMS_STALE_VALUES_H_

#include <cstddef>
#include <optional>

#include "suggest/space/study_view.h"

namespace vernier {

/// Returns the view without the results from before a metric of a study of
/// several began to vary; nullopt if there are none.
///
/// A metric that is constant in one part of the space comes back to its
/// constant now and then. If it was constant in all of the first five results
/// or more, and has had other values in each of the latest, of which there are
/// five at least, what changed was the program that reports it: the first
/// values contradict the later ones. One value that comes back ends this. O(n).
std::optional<StudyView> WithoutStaleValues(const StudyView& view,
                                            std::size_t metric);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ALGORITHMS_STALE_VALUES_H_
