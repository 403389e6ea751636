#ifndef VERNIER_TRIALS_JOBS_FAILURE_POLICY_H_
#define VERNIER_TRIALS_JOBS_FAILURE_POLICY_H_

#include <chrono>
#include <optional>
#include <string>

#include "store/study_kinds.h"

namespace vernier {

/// Outcomes of a job's trials since a user last started or resumed it.
/// Cancelled trials do not count.
struct TrialTally {
  int succeeded = 0;       ///< Completed, infeasible by NaN, or stopped early.
  int failed = 0;          ///< By the program's fault, or too slow.
  int infrastructure = 0;  ///< Given up by the machine's fault; no failures.
  int infeasible = 0;      ///< By exit 78 or out of memory.
  int no_metric = 0;       ///< Succeeded, but without the objective.
  /// Failures among the trials that ended last, without a break.
  int failed_in_a_row = 0;
  int instant_failures_in_a_row = 0;
};

/// Says how many trials ended in this way: "1 was stopped early". Pure.
std::string EndsText(TrialEndCause cause, int count);

/// Returns the tally of the ends that are stored, without those of the plan
/// that is being made.
TrialTally TallyOf(JobRef job);

/// Adds the end of one more trial to the tally. A failure within
/// `instant_failure` of the start of the trial's last attempt is an instant
/// one; attempts that are tried again count nowhere. Any end but a failure of
/// the program or its launch breaks the row of instant ones, except for ends
/// that say nothing about the program (a lost machine, no memory, a cancel).
void CountEnd(TrialEndCause cause, std::chrono::microseconds lasted,
              std::chrono::microseconds instant_failure, TrialTally* tally);

/// Says why a job has failed as a whole now that a trial of it has ended, or
/// nullopt if it continues. Pure. A job without tuning fails with its only
/// trial. A job with packages fails if a trial could not be launched before any
/// succeeded, because then its packages could not be installed.
///
/// With maxFailedTrials = N > 0 a job fails after N trials that failed or were
/// infeasible. Otherwise, with vernier.maxConsecutiveFailures = N > 0, it fails
/// after N failures in a row, or when at least kManyTrials have ended and more
/// than half of them failed; with 0 it never fails. Without either it follows
/// AI Platform: it fails at once if trial 1 fails before any trial succeeded,
/// or when at least kManyFailures have failed and they outnumber the successes.
///
/// `last` is the trial that ended just now, by failure or as infeasible;
/// `tally` counts it.
std::optional<std::string> JobFailure(JobRef job, const TrialTally& tally,
                                      const TrialRecord& last);

inline constexpr int kManyFailures = 5;
inline constexpr int kManyTrials = 20;

/// Says why a job should pause now that a trial of it has ended, or nullopt.
/// Pure. With N = vernier.maxInstantFailures it pauses after N instant failures
/// in a row, or N trials in a row that failed with the same error; once a trial
/// has succeeded, it takes kRowAnyway of them if that is more than N. It also
/// pauses when N trials have ended well without a value of the metric while
/// none has had one, and when N were given up by the machine's fault and fewer
/// succeeded. `last` is the trial that ended just now, however it ended; it
/// need not be stored yet.
std::optional<std::string> JobPause(JobRef job, const TrialTally& tally,
                                    std::chrono::milliseconds instant_failure,
                                    const TrialRecord& last);

inline constexpr int kRowAnyway = 10;

/// Returns the text that messages of the same error have in common: the last
/// line of `message`, with "#" in place of each number. Empty if there is
/// nothing to compare.
std::string ErrorSignature(const std::string& message);

/// "lr=0.1, units=32".
std::string DescribeParameters(const StudyRecord& study,
                               const Parameters& parameters);

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_FAILURE_POLICY_H_
