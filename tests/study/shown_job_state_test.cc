#include "study/words/shown_job_state.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

TEST(ShownJobStateTest, APauseIsShownUntilTheJobEnds) {
  for (const JobState state :
       {JobState::kQueued, JobState::kPreparing, JobState::kRunning,
        JobState::kCancelling, JobState::kSucceeded, JobState::kFailed,
        JobState::kCancelled}) {
    EXPECT_EQ(ShownState(state, JobWanted::kPause),
              state <= JobState::kRunning ? "PAUSED" : ToString(state));
    EXPECT_EQ(ShownState(ToString(state), "PAUSE"),
              ShownState(state, JobWanted::kPause));
    EXPECT_EQ(ShownState(state, JobWanted::kRun), ToString(state));
    EXPECT_EQ(ShownState(ToString(state), "RUN"), ToString(state));
  }
  EXPECT_EQ(ShownState("NEW", "PAUSE"), "NEW");
}

}  // namespace
}  // namespace vernier
