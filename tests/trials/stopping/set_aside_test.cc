#include "trials/stopping/set_aside.h"

#include <gtest/gtest.h>

#include "tests/trials/study_builder.h"

namespace vernier {
namespace {

bool IsFirstSetAside(const StudyBuilder& study) {
  const StudySnapshot& built = study.Build();
  return IsSetAside(built, built.trials.Get(TrialId{1}));
}

StudyBuilder Job(JobWanted wanted) {
  StudyBuilder study(TuningSpec(9, 2));
  study.job().state = JobState::kRunning;
  study.job().wanted = wanted;
  return study;
}

TEST(SetAsideTest, ATrialWhoseNextAttemptWaitsForTheResumeIsPaused) {
  EXPECT_TRUE(
      IsFirstSetAside(Job(JobWanted::kPause).Active(AttemptState::kExited)));
  EXPECT_FALSE(
      IsFirstSetAside(Job(JobWanted::kRun).Active(AttemptState::kExited)))
      << "it is tried again";
  EXPECT_FALSE(
      IsFirstSetAside(Job(JobWanted::kPause).Active(AttemptState::kRunning)))
      << "a pause lets it end";
  EXPECT_FALSE(IsFirstSetAside(Job(JobWanted::kPause).Completed(0.5)));
  EXPECT_FALSE(IsFirstSetAside(Job(JobWanted::kPause).Requested()));
}

TEST(SetAsideTest, SoIsOneThatTheStoppingRuleHasPaused) {
  const auto paused = [](AttemptState state) {
    return Job(JobWanted::kRun).Active(state).With([](TrialRecord* trial) {
      trial->attempts.back().kill_wanted = true;
      trial->attempts.back().kill_cause = TrialEndCause::kStoppedEarly;
      trial->attempts.back().end_cause = TrialEndCause::kStoppedEarly;
    });
  };
  EXPECT_TRUE(IsFirstSetAside(paused(AttemptState::kKilled)));
  EXPECT_FALSE(IsFirstSetAside(paused(AttemptState::kRunning)));
}

}  // namespace
}  // namespace vernier
