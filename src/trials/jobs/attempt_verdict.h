#ifndef VERNIER_TRIALS_JOBS_ATTEMPT_VERDICT_H_
#define VERNIER_TRIALS_JOBS_ATTEMPT_VERDICT_H_

#include <optional>
#include <string>

#include "store/change.h"
#include "store/study_kinds.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// The consequences of an attempt's end.
struct AttemptVerdict {
  AttemptEvent attempt_event = AttemptEvent::kExit;  ///< kExit, kKill or kLose.
  TrialEndCause cause = TrialEndCause::kNone;        ///< The attempt's.
  /// The event that moves the trial; nullopt: it is launched again.
  std::optional<TrialEvent> trial_event;
  std::string message;  ///< For people.
  /// The reason for which a rule of the job pauses it; empty if none does.
  std::string pause;
};

/// The exit status by which a program says that it cut its training short, like
/// a client that ends its trial as "stopped". It is no code of sysexits.h.
inline constexpr int kStoppedStatus = 79;

/// The message of a trial while it comes to its end because a user stopped it.
inline constexpr char kStoppedByUserReason[] = "stopped by a user";

/// Returns the cause of a trial's end if its last attempt ended by `cause`.
/// Only attempts end by kTransient and kPreempted; their trials end by
/// kUserError and kCancelled.
TrialEndCause TrialCause(TrialEndCause cause);

/// Judges an observation of kind kEnded, kLost or kNeverStarted. Pure.
///
/// The primary's exit status decides (AI Platform): 0 is success. Other ends
/// are judged by the job's endRules and then, except for kStoppedStatus, by
/// BuiltInEndRules. An end for which no rule holds is the program's fault. Each
/// kind of fault has its own number of retries in the job's RetryPolicy,
/// counted over the trial's attempts. Attempts that end before a program ran do
/// not count, but a trial that has 20 of them in a row is given up.
///
/// An attempt that was ended so that its trial can start again
/// (RestartOutdated, a preemption, or a pause by a stopping rule) uses up no
/// retry and does not end the trial, unless it succeeded.
///
/// `trial` is the record with every measurement already stored; its last
/// attempt is the one that was observed.
AttemptVerdict JudgeAttempt(JobRef job, const TrialRecord& trial,
                            const AttemptObservation& observation);

/// Sets in `move` the values with which `trial` ends. One is the measurement of
/// the objective that counts by the job's reduction; it is unset if none was
/// finite, or if the last was not and the job does not ignore that. If the
/// study needs several metrics, the other is the report of all metrics that
/// have such a value. Pure.
void SelectFinal(JobRef job, const TrialRecord& trial, MoveTrial* move);

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_ATTEMPT_VERDICT_H_
