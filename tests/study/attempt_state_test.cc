#include "study/attempt_state.h"

#include <gtest/gtest.h>

#include <string>

namespace vernier {
namespace {

constexpr AttemptState kAllAttemptStates[] = {
    AttemptState::kIntended, AttemptState::kLaunching, AttemptState::kRunning,
    AttemptState::kExited,   AttemptState::kKilled,    AttemptState::kLost};
constexpr AttemptEvent kAllAttemptEvents[] = {
    AttemptEvent::kLaunch, AttemptEvent::kRun, AttemptEvent::kExit,
    AttemptEvent::kKill, AttemptEvent::kLose};

TEST(AttemptStateTest, ExactlyTheseMovesAreLegal) {
  std::string legal;
  for (const AttemptState from : kAllAttemptStates) {
    for (const AttemptEvent event : kAllAttemptEvents) {
      if (const auto to = Next(from, event)) {
        legal += std::string(ToString(from)) + ">" +
                 std::string(ToString(*to)) + " ";
      }
    }
  }
  EXPECT_EQ(legal,
            "intended>launching intended>running intended>exited "
            "intended>killed intended>lost "
            "launching>running launching>exited launching>killed "
            "launching>lost "
            "running>exited running>killed running>lost ");
}

TEST(AttemptStateTest, ExactlyTheLastThreeStatesAreTerminal) {
  std::string terminal;
  for (const AttemptState state : kAllAttemptStates) {
    if (IsTerminal(state)) terminal += std::string(ToString(state)) + " ";
  }
  EXPECT_EQ(terminal, "exited killed lost ");
}

TEST(AttemptStateTest, StoredNumbersAreFixed) {
  int number = 0;
  for (const AttemptState state : kAllAttemptStates) {
    EXPECT_EQ(static_cast<int>(state), ++number) << ToString(state);
  }
}

}  // namespace
}  // namespace vernier
