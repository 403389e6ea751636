#ifndef VERNIER_TRIALS_LIMITS_STUDY_LIMITS_H_
#define VERNIER_TRIALS_LIMITS_STUDY_LIMITS_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "store/store.h"

namespace vernier {

/// What a study has reached and used so far, for its StudyLimits.
struct StudyUse {
  /// The best final value by the study's goal, and whose it is.
  std::optional<double> best;
  TrialId best_trial{};
  std::int64_t steps = 0;  ///< Of all trials: the sum of their last steps.
  std::chrono::microseconds gpu_time{0};  ///< Of all GPUs.
  std::chrono::microseconds ran_for{0};   ///< The job.
};

/// What the next trial promises, by the model of all results.
struct NextTrialPromise {
  double expected_gain = 0;  ///< In the metric's units; >= 0.
};

/// How long attempts have run up to now; those that are not in it have not
/// started.
using RunTimes = std::map<AttemptKey, std::chrono::microseconds>;

/// All of it but `ran_for`, of a job's study. `live` is about its attempts that
/// have not ended. Looks at every trial. Pure.
StudyUse UseOf(const StudySnapshot& study, const RunTimes& live);

/// Why a study has done enough.
struct EnoughDone {
  std::string reason;  ///< One sentence with its numbers.
  /// Trials that run are worth nothing more, or may use nothing more: they are
  /// stopped. Otherwise they come to their end.
  bool stops_running = false;
};

/// The first of the study's limits that is reached, in the order of StudyLimits
/// but with those that stop what runs first; nullopt: none. `promise` is unset
/// while it is not known. Pure.
std::optional<EnoughDone> ReachedLimit(
    const StudySpec& study, const StudyUse& use,
    const std::optional<NextTrialPromise>& promise);

}  // namespace vernier

#endif  // VERNIER_TRIALS_LIMITS_STUDY_LIMITS_H_
