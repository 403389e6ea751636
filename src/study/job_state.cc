#include "study/job_state.h"

namespace vernier {
namespace {

// Reopening is the only transition backwards: it leaves a terminal state and
// leads to the first one.
constexpr bool IsReopening(const JobTransition& a) {
  return a.event == JobEvent::kReopen && IsTerminal(a.from) &&
         a.to == JobState::kQueued;
}

constexpr bool JobTableIsSound() {
  for (const JobTransition& a : kJobTransitions) {
    if (IsReopening(a)) continue;
    if (IsTerminal(a.from) || a.to <= a.from) return false;
  }
  return true;
}
static_assert(
    JobTableIsSound(),
    "states move forward, and only a reopening leaves a terminal one");

}  // namespace

std::string_view ToString(JobState state) {
  switch (state) {
    case JobState::kQueued:
      return "QUEUED";
    case JobState::kPreparing:
      return "PREPARING";
    case JobState::kRunning:
      return "RUNNING";
    case JobState::kCancelling:
      return "CANCELLING";
    case JobState::kSucceeded:
      return "SUCCEEDED";
    case JobState::kFailed:
      return "FAILED";
    case JobState::kCancelled:
      return "CANCELLED";
  }
  return "STATE_UNSPECIFIED";
}

std::string_view ToString(JobWanted wanted) {
  switch (wanted) {
    case JobWanted::kRun:
      return "run";
    case JobWanted::kPause:
      return "pause";
    case JobWanted::kStop:
      return "stop";
    case JobWanted::kFail:
      return "fail";
  }
  return "unknown";
}

std::string_view ToString(WantedCause cause) {
  switch (cause) {
    case WantedCause::kNone:
      return "none";
    case WantedCause::kUser:
      return "user";
    case WantedCause::kFailures:
      return "failures";
    case WantedCause::kSchedule:
      return "schedule";
    case WantedCause::kEnough:
      return "enough";
  }
  return "unknown";
}

}  // namespace vernier
