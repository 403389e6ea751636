#include "study/attempt_state.h"

namespace vernier {
namespace {

constexpr bool AttemptTableIsSound() {
  for (const AttemptTransition& a : kAttemptTransitions) {
    if (IsTerminal(a.from) || a.to <= a.from) return false;
  }
  return true;
}
static_assert(AttemptTableIsSound(),
              "states move forward and terminal means terminal");

}  // namespace

std::string_view ToString(AttemptState state) {
  switch (state) {
    case AttemptState::kIntended:
      return "intended";
    case AttemptState::kLaunching:
      return "launching";
    case AttemptState::kRunning:
      return "running";
    case AttemptState::kExited:
      return "exited";
    case AttemptState::kKilled:
      return "killed";
    case AttemptState::kLost:
      return "lost";
  }
  return "unknown";
}

}  // namespace vernier
