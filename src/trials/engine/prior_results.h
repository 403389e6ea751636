#ifndef VERNIER_TRIALS_ENGINE_PRIOR_RESULTS_H_
#define VERNIER_TRIALS_ENGINE_PRIOR_RESULTS_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "store/store.h"
#include "suggest/space/prior_study.h"

namespace vernier {

/// At most so many studies are found by their likeness, and each has at least
/// so many trials that say something about their parameters.
inline constexpr std::size_t kMostLikeStudies = 16;
inline constexpr std::size_t kFewestLikeTrials = 5;

/// Returns OK if each of the names is that of one job or study of `project`, or
/// if no names are given (FindsLikeStudies); NOT_FOUND or INVALID_ARGUMENT
/// names the first that is not.
absl::Status CheckPriorNames(const StoreSnapshot& snapshot,
                             const std::string& project,
                             const PriorStudySettings& priors);

/// Returns the studies that `study` names as earlier ones, as far as they are
/// there, in its order. If it names none (FindsLikeStudies): those of its
/// project that were made before it, have at least half of its parameters under
/// their names here, and have kFewestLikeTrials; the ones with most of these
/// parameters first, then the latest. Pure.
std::vector<std::shared_ptr<const StudySnapshot>> FindPriorStudies(
    const StoreSnapshot& snapshot, const StudySnapshot& study);

/// Returns what `study` may learn from `priors`: their trials that had ended
/// when it was made and that say something about their parameters, in the order
/// of ObservedTrials. Those that were stopped early are left out, since their
/// last values are not final. So what is learned never changes, whether they go
/// on or not. Of a study with several metrics the one with this study's name
/// counts, else the first. At most kMostPriorTrials. Pure.
std::vector<PriorStudy> PriorResults(
    const StudySnapshot& study,
    const std::vector<std::shared_ptr<const StudySnapshot>>& priors);

}  // namespace vernier

#endif  // VERNIER_TRIALS_ENGINE_PRIOR_RESULTS_H_
