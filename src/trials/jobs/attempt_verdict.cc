#include "trials/jobs/attempt_verdict.h"

#include <sysexits.h>

#include <csignal>

#include "absl/strings/str_cat.h"
#include "trials/jobs/job_versions.h"
#include "trials/jobs/missing_objective.h"

namespace vernier {
namespace {

// Shells and some launchers turn a signal into 128 + its number.
constexpr int kAbortExit = 128 + SIGABRT;
constexpr int kSegvExit = 128 + SIGSEGV;

bool IsTransient(const AttemptObservation& end) {
  return end.signal == SIGABRT || end.signal == SIGSEGV ||
         end.exit_code == kAbortExit || end.exit_code == kSegvExit;
}

// Whether the program did not cause the signal itself. Then somebody or
// something outside sent it, and it says nothing about the parameters.
bool IsFromOutside(const AttemptObservation& end) {
  if (!end.signal.has_value()) return false;
  switch (*end.signal) {
    case SIGHUP:
    case SIGINT:
    case SIGQUIT:
    case SIGKILL:
    case SIGTERM:
    case SIGPWR:
      return true;
    default:
      return false;
  }
}

struct Fault {
  TrialEndCause cause;
  bool transient;
};

Fault FaultOf(const AttemptObservation& end) {
  if (end.exit_code == EX_TEMPFAIL || IsFromOutside(end)) {
    return {TrialEndCause::kInfrastructure, false};
  }
  return {TrialEndCause::kUserError, IsTransient(end)};
}

bool WasTransient(const AttemptRecord& attempt) {
  return attempt.signal == SIGABRT || attempt.signal == SIGSEGV ||
         attempt.exit_code == kAbortExit || attempt.exit_code == kSegvExit;
}

// Whether it was lost before a program ran.
bool NeverRan(const AttemptRecord& attempt) {
  return attempt.state == AttemptState::kLost &&
         !attempt.running_at.has_value() && attempt.lasted.count() == 0;
}

// Earlier attempts that ended by the same kind of fault. One that never started
// does not count: no program ran.
int CountRetries(const TrialRecord& trial, const Fault& fault) {
  int count = 0;
  for (const AttemptRecord& attempt : trial.attempts) {
    if (attempt.end_cause != fault.cause || !IsTerminal(attempt.state))
      continue;
    if (NeverRan(attempt)) continue;
    if (fault.cause == TrialEndCause::kUserError &&
        WasTransient(attempt) != fault.transient) {
      continue;
    }
    ++count;
  }
  return count;
}

bool MayRetry(const StudyRecord& job, const TrialRecord& trial,
              const Fault& fault) {
  const RetryPolicy& retry = job.run->spec->vernier.retry;
  const int allowed = fault.cause == TrialEndCause::kInfrastructure
                          ? retry.max_infrastructure_retries
                      : fault.transient ? retry.max_transient_retries
                                        : retry.max_user_error_retries;
  return CountRetries(trial, fault) < allowed;
}

// If the service is killed between an intent and its launch, an attempt never
// starts. So many in a row are no accident.
constexpr int kMaxUnstarted = 20;

// Whether the attempts right before the last one all ended before a program
// ran, and are as many as are allowed.
bool IsNeverStarting(const TrialRecord& trial) {
  const std::vector<AttemptRecord>& attempts = trial.attempts;
  if (attempts.back().running_at.has_value()) return false;
  int count = 1;
  for (auto attempt = attempts.rbegin() + 1; attempt != attempts.rend();
       ++attempt) {
    if (!NeverRan(*attempt)) break;
    ++count;
  }
  return count >= kMaxUnstarted;
}

void GiveUpIfNeverStarting(const TrialRecord& trial, AttemptVerdict* verdict) {
  if (verdict->trial_event.has_value() || !IsNeverStarting(trial)) return;
  verdict->trial_event = TrialEvent::kGiveUp;
  absl::StrAppend(&verdict->message, "; so did the ", kMaxUnstarted - 1,
                  " before it");
}

AttemptVerdict JudgeSuccess(const StudyRecord& job, const TrialRecord& trial,
                            const AttemptObservation& end) {
  AttemptVerdict verdict;
  verdict.trial_event = TrialEvent::kReportFinal;
  if (!job.run->spec->training_input.hyperparameters.has_value() ||
      SelectFinal(job, trial).has_value()) {
    verdict.cause = TrialEndCause::kSuccess;
  } else if (trial.objective.not_finite_count > 0) {
    verdict.cause = TrialEndCause::kNotFinite;
    verdict.message = "every reported value of the metric was NaN or infinite";
    if (trial.state == TrialState::kActive) {
      verdict.trial_event = TrialEvent::kReportInfeasible;
    }
  } else {
    verdict.cause = TrialEndCause::kNoMetric;
    verdict.message = DescribeMissingObjective(job, trial, end.message);
  }
  return verdict;
}

AttemptVerdict JudgeRestarted(AttemptEvent event) {
  AttemptVerdict verdict;
  verdict.attempt_event = event;
  verdict.cause = TrialEndCause::kCancelled;
  verdict.message = "it was ended to start again with the job's newest version";
  return verdict;
}

AttemptVerdict JudgeKilled(const TrialRecord& trial,
                           const AttemptObservation& end) {
  const AttemptRecord& attempt = trial.attempts.back();
  AttemptVerdict verdict;
  verdict.attempt_event = AttemptEvent::kKill;
  verdict.cause = attempt.kill_cause;
  verdict.trial_event = trial.state == TrialState::kStopping
                            ? TrialEvent::kConfirmStop
                            : TrialEvent::kGiveUp;
  verdict.message = verdict.cause == TrialEndCause::kTimeLimit
                        ? "it ran longer than vernier.trialTimeLimit allows"
                        : end.message;
  return verdict;
}

AttemptVerdict JudgeFault(const StudyRecord& job, const TrialRecord& trial,
                          const Fault& fault, AttemptVerdict verdict) {
  verdict.cause = fault.cause;
  // A stopping trial is not launched again, whatever its last attempt did.
  if (trial.state == TrialState::kStopping) {
    verdict.cause = trial.attempts.back().kill_cause;
    verdict.trial_event = TrialEvent::kConfirmStop;
  } else if (!MayRetry(job, trial, fault)) {
    verdict.trial_event = TrialEvent::kGiveUp;
  }
  return verdict;
}

AttemptVerdict JudgeEnded(const StudyRecord& job, const TrialRecord& trial,
                          const AttemptObservation& end) {
  const AttemptRecord& attempt = trial.attempts.back();
  AttemptVerdict verdict;
  verdict.message = end.message;
  if (attempt.kill_wanted && end.stopped_by_request) {
    return IsToStartAgain(trial) ? JudgeRestarted(AttemptEvent::kKill)
                                 : JudgeKilled(trial, end);
  }
  // From here it ended by itself, perhaps just before a kill reached it.
  if (!end.launch_failed && !end.out_of_memory && end.exit_code == 0) {
    return JudgeSuccess(job, trial, end);
  }
  if (trial.state == TrialState::kStopping) return JudgeKilled(trial, end);
  if (IsToStartAgain(trial)) return JudgeRestarted(AttemptEvent::kExit);
  if (end.launch_failed) {
    verdict.cause = TrialEndCause::kLaunchFailed;
    verdict.trial_event = TrialEvent::kGiveUp;
    return verdict;
  }
  if (end.out_of_memory || end.exit_code == EX_CONFIG) {
    verdict.cause = end.out_of_memory ? TrialEndCause::kOutOfMemory
                                      : TrialEndCause::kInfeasible;
    verdict.trial_event = TrialEvent::kReportInfeasible;
    return verdict;
  }
  return JudgeFault(job, trial, FaultOf(end), std::move(verdict));
}

}  // namespace

AttemptVerdict JudgeAttempt(const StudyRecord& job, const TrialRecord& trial,
                            const AttemptObservation& observation) {
  AttemptVerdict verdict;
  const Fault lost{TrialEndCause::kInfrastructure, false};
  const bool has_exit = observation.kind == AttemptObservation::Kind::kEnded;
  if (!has_exit && IsToStartAgain(trial)) {
    return JudgeRestarted(AttemptEvent::kLose);
  }
  switch (observation.kind) {
    case AttemptObservation::Kind::kNeverStarted:
      verdict.attempt_event = AttemptEvent::kLose;
      verdict.cause = TrialEndCause::kInfrastructure;
      verdict.message = "the service ended before the attempt was started";
      if (trial.state == TrialState::kStopping) {
        verdict.cause = trial.attempts.back().kill_cause;
        verdict.trial_event = TrialEvent::kConfirmStop;
      }
      GiveUpIfNeverStarting(trial, &verdict);
      return verdict;
    case AttemptObservation::Kind::kLost:
      verdict.attempt_event = AttemptEvent::kLose;
      verdict.message = observation.message;
      verdict = JudgeFault(job, trial, lost, std::move(verdict));
      GiveUpIfNeverStarting(trial, &verdict);
      return verdict;
    case AttemptObservation::Kind::kEnded:
    case AttemptObservation::Kind::kStarting:
    case AttemptObservation::Kind::kRunning:
      break;
  }
  return JudgeEnded(job, trial, observation);
}

std::optional<FinalMeasurement> SelectFinal(const StudyRecord& job,
                                            const TrialRecord& trial) {
  switch (job.run->spec->vernier.objective_reduction) {
    case ObjectiveReduction::kBest:
      return trial.objective.best;
    case ObjectiveReduction::kLast:
      break;
  }
  return trial.objective.last;
}

}  // namespace vernier
