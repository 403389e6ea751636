#ifndef VERNIER_TRIALS_FAILURE_POLICY_H_
#define VERNIER_TRIALS_FAILURE_POLICY_H_

#include <chrono>
#include <optional>
#include <string>

#include "store/records.h"

namespace vernier {

/// Outcomes of a tuning job's trials so far.
struct TrialTally {
  int succeeded = 0;  ///< Completed, infeasible by NaN, or stopped early.
  int failed = 0;     ///< Failed, or infeasible by exit 78 or out of memory.
};

/// True for ends that count against maxFailedTrials. NaN does not: programs
/// that end with 0 after a NaN rely on that.
bool CountsAsFailed(TrialEndCause cause);

/// True for ends that count as success in completedTrialCount.
bool CountsAsSucceeded(TrialEndCause cause);

/// Says why a job has failed as a whole now that a trial of it has failed, or
/// nullopt if it goes on. Pure. A job without tuning fails with its only trial,
/// and one with packages when a trial could not be launched before any
/// succeeded: its packages could not be installed.
///
/// With maxFailedTrials = N > 0: after N failures. With 0 the service decides:
/// at once if trial 1 fails before any trial succeeded, else when at least
/// kManyFailures have failed and they outnumber the successes.
///
/// `last_failed` is the trial that failed just now; `tally` counts it.
std::optional<std::string> JobFailure(const JobRecord& job,
                                      const TrialTally& tally,
                                      const TrialRecord& last_failed);

inline constexpr int kManyFailures = 5;

/// "lr=0.1, units=32".
std::string DescribeParameters(const JobRecord& job,
                               const Parameters& parameters);

}  // namespace vernier

#endif  // VERNIER_TRIALS_FAILURE_POLICY_H_
