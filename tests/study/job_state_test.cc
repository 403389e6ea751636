#include "study/job_state.h"

#include <gtest/gtest.h>

#include <string>

namespace vernier {
namespace {

constexpr JobState kAllJobStates[] = {
    JobState::kQueued,     JobState::kPreparing, JobState::kRunning,
    JobState::kCancelling, JobState::kSucceeded, JobState::kFailed,
    JobState::kCancelled};
constexpr JobEvent kAllJobEvents[] = {
    JobEvent::kPrepare, JobEvent::kRun,           JobEvent::kSucceed,
    JobEvent::kFail,    JobEvent::kRequestCancel, JobEvent::kConfirmCancel,
    JobEvent::kReopen};

TEST(JobStateTest, ExactlyTheseMovesAreLegal) {
  std::string legal;
  for (const JobState from : kAllJobStates) {
    for (const JobEvent event : kAllJobEvents) {
      if (const auto to = Next(from, event)) {
        legal += std::string(ToString(from)) + ">" +
                 std::string(ToString(*to)) + " ";
      }
    }
  }
  EXPECT_EQ(legal,
            "QUEUED>PREPARING QUEUED>RUNNING QUEUED>SUCCEEDED QUEUED>FAILED "
            "QUEUED>CANCELLING "
            "PREPARING>RUNNING PREPARING>SUCCEEDED PREPARING>FAILED "
            "PREPARING>CANCELLING "
            "RUNNING>SUCCEEDED RUNNING>FAILED RUNNING>CANCELLING "
            "CANCELLING>CANCELLED "
            "SUCCEEDED>QUEUED FAILED>QUEUED CANCELLED>QUEUED ");
}

TEST(JobStateTest, OnlyReopeningLeavesATerminalState) {
  for (const JobState from : kAllJobStates) {
    for (const JobEvent event : kAllJobEvents) {
      if (event == JobEvent::kReopen) continue;
      EXPECT_FALSE(IsTerminal(from) && Next(from, event)) << ToString(from);
    }
  }
}

TEST(JobStateTest, StoredNumbersAreFixed) {
  int number = 0;
  for (const JobState state : kAllJobStates) {
    EXPECT_EQ(static_cast<int>(state), ++number) << ToString(state);
  }
  EXPECT_EQ(static_cast<int>(JobWanted::kRun), 1);
  EXPECT_EQ(static_cast<int>(JobWanted::kPause), 2);
  EXPECT_EQ(static_cast<int>(JobWanted::kStop), 3);
}

TEST(JobStateTest, WantedStatesHaveNames) {
  EXPECT_EQ(ToString(JobWanted::kRun), "run");
  EXPECT_EQ(ToString(JobWanted::kPause), "pause");
  EXPECT_EQ(ToString(JobWanted::kStop), "stop");
}

}  // namespace
}  // namespace vernier
