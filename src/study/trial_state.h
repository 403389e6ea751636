#ifndef VERNIER_STUDY_TRIAL_STATE_H_
#define VERNIER_STUDY_TRIAL_STATE_H_

#include <optional>
#include <string_view>

namespace vernier {

/// Life of a trial, as a user sees it. States only move forward: a retry is a
/// new attempt, never a step back. Values are stored; do not renumber.
///
///   requested -> active -> completed | infeasible | failed
///        |          |
///        |          +-> stopping -> stopped | completed | infeasible
///        +-> stopped
enum class TrialState {
  kRequested = 1,   ///< Parameters chosen, no launch intended yet.
  kActive = 2,      ///< A launch is intended, alive, or about to be retried.
  kStopping = 3,    ///< A stop was asked for; the attempt has not ended.
  kCompleted = 4,   ///< Terminal. Ended well; has a final measurement unless
                    ///< the program reported none.
  kStopped = 5,     ///< Terminal. Its training was cut short: by a rule, a
                    ///< limit, a user, its client or with its job. Keeps its
                    ///< last measurement.
  kInfeasible = 6,  ///< Terminal. The parameters cannot be evaluated.
  kFailed = 7,      ///< Terminal. Every attempt failed or was lost.
};

enum class TrialEvent {
  kLease,             ///< A launch is intended.
  kRequestStop,       ///< Cancelled, or a stopping rule asked.
  kConfirmStop,       ///< The attempt ended after a stop was asked for.
  kReportFinal,       ///< The primary ended with success.
  kReportInfeasible,  ///< The parameters proved impossible.
  kGiveUp,            ///< The last allowed attempt failed.
};

struct TrialTransition {
  TrialState from;
  TrialEvent event;
  TrialState to;
};

/// All transitions of the state machine. A pair that is not listed is illegal.
inline constexpr TrialTransition kTrialTransitions[] = {
    {TrialState::kRequested, TrialEvent::kLease, TrialState::kActive},
    {TrialState::kRequested, TrialEvent::kRequestStop, TrialState::kStopped},
    {TrialState::kActive, TrialEvent::kReportFinal, TrialState::kCompleted},
    {TrialState::kActive, TrialEvent::kReportInfeasible,
     TrialState::kInfeasible},
    {TrialState::kActive, TrialEvent::kRequestStop, TrialState::kStopping},
    {TrialState::kActive, TrialEvent::kGiveUp, TrialState::kFailed},
    // A result that races with the stop request is worth keeping.
    {TrialState::kStopping, TrialEvent::kReportFinal, TrialState::kCompleted},
    // A job's trial takes this path only if its training ended in a value that
    // is not finite; with any other end it becomes stopped.
    {TrialState::kStopping, TrialEvent::kReportInfeasible,
     TrialState::kInfeasible},
    {TrialState::kStopping, TrialEvent::kConfirmStop, TrialState::kStopped},
    {TrialState::kStopping, TrialEvent::kGiveUp, TrialState::kStopped},
};

constexpr bool IsTerminal(TrialState state) {
  return state >= TrialState::kCompleted;
}

/// Returns the state after `event`, or nullopt if the event is illegal.
constexpr std::optional<TrialState> Next(TrialState from, TrialEvent event) {
  for (const TrialTransition& transition : kTrialTransitions) {
    if (transition.from == from && transition.event == event) {
      return transition.to;
    }
  }
  return std::nullopt;
}

/// Stable lower-case name, used in logs, events and CLI output.
std::string_view ToString(TrialState state);

/// The cause of a trial's end. Values are stored; do not renumber.
enum class TrialEndCause {
  kNone = 0,            ///< Not terminal.
  kSuccess = 1,         ///< Exit 0; a trial of a study has a final measurement.
  kNoMetric = 2,        ///< Exit 0, but nothing was reported for the metric.
  kNotFinite = 3,       ///< Ended well, but with a value that is not finite.
  kInfeasible = 4,      ///< Exit 78 (EX_CONFIG).
  kOutOfMemory = 5,     ///< Killed by the kernel for memory.
  kUserError = 6,       ///< Non-zero exit, or a signal the program caused.
  kInfrastructure = 7,  ///< Lost machine, exit 75, signal from outside.
  kTimeLimit = 8,       ///< Ran longer than it may.
  kCancelled = 9,       ///< With its job; once also by a user.
  kStoppedEarly = 10,   ///< By a stopping rule, a limit, or its client.
  kLaunchFailed = 11,   ///< The program could not be started.
  // These end attempts only; the trials start again.
  kPreempted = 12,  ///< Ended to make room, or for a pause.
  kTransient = 13,  ///< A fault that may not occur again.
  // These end trials, too.
  kStoppedByUser = 14,  ///< A user stopped this trial of a job.
};

/// The cause with the largest number.
inline constexpr TrialEndCause kLastEndCause = TrialEndCause::kStoppedByUser;

/// Stable lower-case name such as "user_error".
std::string_view ToString(TrialEndCause cause);

/// True if the end says something about the parameters, so that a suggester
/// should learn from it even without a value.
constexpr bool TeachesInfeasible(TrialEndCause cause) {
  switch (cause) {
    case TrialEndCause::kNoMetric:
    case TrialEndCause::kNotFinite:
    case TrialEndCause::kInfeasible:
    case TrialEndCause::kOutOfMemory:
    case TrialEndCause::kUserError:
    case TrialEndCause::kTimeLimit:
      return true;
    case TrialEndCause::kNone:
    case TrialEndCause::kSuccess:
    case TrialEndCause::kInfrastructure:
    case TrialEndCause::kCancelled:
    case TrialEndCause::kStoppedEarly:
    case TrialEndCause::kLaunchFailed:
    case TrialEndCause::kPreempted:
    case TrialEndCause::kTransient:
    case TrialEndCause::kStoppedByUser:
      return false;
  }
  return false;
}

/// True if the program or the machine may have caused the end, so that a newer
/// version of the job could succeed. A job that continues tries another point
/// in the trial's place, and no suggester learns from the end once the job has
/// a newer version.
constexpr bool IsMadeUpFor(TrialEndCause cause) {
  switch (cause) {
    case TrialEndCause::kNoMetric:
    case TrialEndCause::kOutOfMemory:
    case TrialEndCause::kUserError:
    case TrialEndCause::kInfrastructure:
    case TrialEndCause::kTimeLimit:
    case TrialEndCause::kCancelled:
    case TrialEndCause::kLaunchFailed:
    case TrialEndCause::kStoppedByUser:
      return true;
    case TrialEndCause::kNone:
    case TrialEndCause::kSuccess:
    case TrialEndCause::kNotFinite:
    case TrialEndCause::kInfeasible:
    case TrialEndCause::kStoppedEarly:
    case TrialEndCause::kPreempted:
    case TrialEndCause::kTransient:
      return false;
  }
  return false;
}

}  // namespace vernier

#endif  // VERNIER_STUDY_TRIAL_STATE_H_
