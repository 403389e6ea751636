#ifndef VERNIER_STUDY_JOB_STATE_H_
#define VERNIER_STUDY_JOB_STATE_H_

#include <optional>
#include <string_view>

namespace vernier {

/// Life of a job; the names of AI Platform's Job.State. Values are stored; do
/// not renumber.
///
///   queued -> preparing -> running -> succeeded | failed
///      any of these three -> cancelling -> cancelled
///      a terminal job may be reopened (resumed, extended) -> queued
enum class JobState {
  kQueued = 1,      ///< Created; no launch intended yet.
  kPreparing = 2,   ///< A launch is intended; no trial has run yet.
  kRunning = 3,     ///< Some trial has been running.
  kCancelling = 4,  ///< A cancel was asked for; attempts are still alive.
  kSucceeded = 5,   ///< Terminal.
  kFailed = 6,      ///< Terminal. The error message says why.
  kCancelled = 7,   ///< Terminal.
};

/// The state that a job's user wants for it, or a policy on the user's behalf
/// (limits, failures), with the reason beside it. JobState, in contrast, is the
/// state that the job has; only the orchestrator writes it. Values are stored;
/// do not renumber.
enum class JobWanted {
  kRun = 1,
  kPause = 2,  ///< Start nothing new; running attempts continue.
  kStop = 3,   ///< End all attempts, then be cancelled.
  kFail = 4,   ///< End all attempts, then be failed.
};

/// Why it is wanted. The sentence beside it is for people; nothing reads it.
/// Values are stored; do not renumber.
enum class WantedCause {
  kNone = 0,      ///< Nothing but the job's submission.
  kUser = 1,      ///< A user paused, resumed or cancelled it.
  kFailures = 2,  ///< Trials fail, or cannot ever start.
  kSchedule = 3,  ///< It has waited or run for too long.
  kEnough = 4,    ///< A limit of its study is reached: it has done enough.
};

enum class JobEvent {
  kPrepare,
  kRun,
  kSucceed,
  kFail,
  kRequestCancel,
  kConfirmCancel,
  kReopen,
};

struct JobTransition {
  JobState from;
  JobEvent event;
  JobState to;
};

/// All transitions of the state machine. A pair that is not listed is illegal.
/// Reopening is the only transition backwards, and only a user's resume or
/// extend causes it.
inline constexpr JobTransition kJobTransitions[] = {
    {JobState::kQueued, JobEvent::kPrepare, JobState::kPreparing},
    {JobState::kQueued, JobEvent::kRun, JobState::kRunning},
    {JobState::kQueued, JobEvent::kSucceed, JobState::kSucceeded},
    {JobState::kQueued, JobEvent::kFail, JobState::kFailed},
    {JobState::kQueued, JobEvent::kRequestCancel, JobState::kCancelling},
    {JobState::kPreparing, JobEvent::kRun, JobState::kRunning},
    {JobState::kPreparing, JobEvent::kSucceed, JobState::kSucceeded},
    {JobState::kPreparing, JobEvent::kFail, JobState::kFailed},
    {JobState::kPreparing, JobEvent::kRequestCancel, JobState::kCancelling},
    {JobState::kRunning, JobEvent::kSucceed, JobState::kSucceeded},
    {JobState::kRunning, JobEvent::kFail, JobState::kFailed},
    {JobState::kRunning, JobEvent::kRequestCancel, JobState::kCancelling},
    {JobState::kCancelling, JobEvent::kConfirmCancel, JobState::kCancelled},
    {JobState::kSucceeded, JobEvent::kReopen, JobState::kQueued},
    {JobState::kFailed, JobEvent::kReopen, JobState::kQueued},
    {JobState::kCancelled, JobEvent::kReopen, JobState::kQueued},
};

constexpr bool IsTerminal(JobState state) {
  return state >= JobState::kSucceeded;
}

/// Returns the state after `event`, or nullopt if the event is illegal.
constexpr std::optional<JobState> Next(JobState from, JobEvent event) {
  for (const JobTransition& transition : kJobTransitions) {
    if (transition.from == from && transition.event == event) {
      return transition.to;
    }
  }
  return std::nullopt;
}

/// Returns AI Platform's name, e.g. "QUEUED".
std::string_view ToString(JobState state);
/// Returns the lower-case name: "run", "pause", "stop", "fail".
std::string_view ToString(JobWanted wanted);
/// Returns the lower-case name: "none", "user", "failures", "schedule",
/// "enough".
std::string_view ToString(WantedCause cause);

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_STATE_H_
