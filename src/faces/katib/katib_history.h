#ifndef VERNIER_FACES_KATIB_KATIB_HISTORY_H_
#define VERNIER_FACES_KATIB_KATIB_HISTORY_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "faces/katib/katib_space.h"
#include "suggest/space/study_view.h"

namespace vernier {

/// The most trials of an experiment.
inline constexpr int kMostKatibTrials = 10'000;

/// Returns what a suggester may know about an experiment. Pure; the order of
/// the trials in the request does not matter, and of two with one name only the
/// first to end counts.
///
/// CREATED and RUNNING trials are pending. SUCCEEDED and EARLYSTOPPED ones have
/// the value of the objective, which makes them infeasible if it is not finite.
/// FAILED ones are infeasible. KILLED ones, and those that ended without a
/// value, teach nothing and are not tried again. A trial whose values are not
/// of the space is left out.
///
/// INVALID_ARGUMENT if there are too many trials; errors of UseInCall.
absl::StatusOr<StudyView> ViewOfKatib(
    const katib::GetSuggestionsRequest& request, const KatibSpace& space,
    std::uint64_t seed);

}  // namespace vernier

#endif  // VERNIER_FACES_KATIB_KATIB_HISTORY_H_
