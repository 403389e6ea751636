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

}  // namespace vernier
