#include "study/trial_state.h"

namespace vernier {
namespace {

constexpr bool TrialTableIsSound() {
  for (const TrialTransition& a : kTrialTransitions) {
    if (IsTerminal(a.from) || a.to <= a.from) return false;
  }
  return true;
}
static_assert(TrialTableIsSound(),
              "states move forward and terminal means terminal");

}  // namespace

std::string_view ToString(TrialState state) {
  switch (state) {
    case TrialState::kRequested:
      return "requested";
    case TrialState::kActive:
      return "active";
    case TrialState::kStopping:
      return "stopping";
    case TrialState::kCompleted:
      return "completed";
    case TrialState::kStopped:
      return "stopped";
    case TrialState::kInfeasible:
      return "infeasible";
    case TrialState::kFailed:
      return "failed";
  }
  return "unknown";
}

std::string_view ToString(TrialEndCause cause) {
  switch (cause) {
    case TrialEndCause::kNone:
      return "none";
    case TrialEndCause::kSuccess:
      return "success";
    case TrialEndCause::kNoMetric:
      return "no_metric";
    case TrialEndCause::kNotFinite:
      return "not_finite";
    case TrialEndCause::kInfeasible:
      return "infeasible";
    case TrialEndCause::kOutOfMemory:
      return "out_of_memory";
    case TrialEndCause::kUserError:
      return "user_error";
    case TrialEndCause::kInfrastructure:
      return "infrastructure";
    case TrialEndCause::kTimeLimit:
      return "time_limit";
    case TrialEndCause::kCancelled:
      return "cancelled";
    case TrialEndCause::kStoppedEarly:
      return "stopped_early";
    case TrialEndCause::kLaunchFailed:
      return "launch_failed";
    case TrialEndCause::kPreempted:
      return "preempted";
    case TrialEndCause::kTransient:
      return "transient";
    case TrialEndCause::kStoppedByUser:
      return "stopped_by_user";
  }
  return "unknown";
}

}  // namespace vernier
