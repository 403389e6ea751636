#ifndef VERNIER_TRIALS_LIMITS_STUDY_LIMITS_H_
#define VERNIER_TRIALS_LIMITS_STUDY_LIMITS_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "store/study_kinds.h"

namespace vernier {

/// The results and the use of a study so far, to compare with its StudyLimits.
struct StudyUse {
  /// The best final value by the study's goal, and the trial that has it.
  std::optional<double> best;
  TrialId best_trial{};
  std::int64_t steps = 0;  ///< The sum of all trials' last steps.
  std::chrono::microseconds gpu_time{0};  ///< The sum over all GPUs.
  std::chrono::microseconds ran_for{0};   ///< The job's own.
};

/// The promise of the next trial by the model of all results.
struct NextTrialPromise {
  double expected_gain = 0;  ///< In the metric's units; >= 0.
};

/// The times for which attempts have run up to now. Attempts that are not in it
/// have not started.
using RunTimes = std::map<AttemptKey, std::chrono::microseconds>;

/// Returns the use of a job's study, without `ran_for`, which the caller sets.
/// `live` has the times of its attempts that have not ended. Reads every trial.
/// Pure.
StudyUse UseOf(JobRef job, const RunTimes& live);

/// The limit by which a study has done enough.
struct EnoughDone {
  std::string reason;  ///< One sentence with its numbers.
  /// Running trials are stopped, because their results are not needed any more,
  /// or because they may use nothing more. Otherwise they come to their end.
  bool stops_running = false;
};

/// Returns the first of the study's limits that is reached; nullopt if none is.
/// Limits that stop running trials come first; otherwise the order is that of
/// StudyLimits. `promise` is unset while it is not known. Pure.
std::optional<EnoughDone> ReachedLimit(
    const StudySpec& study, const StudyUse& use,
    const std::optional<NextTrialPromise>& promise);

}  // namespace vernier

#endif  // VERNIER_TRIALS_LIMITS_STUDY_LIMITS_H_
