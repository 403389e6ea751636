#include "trials/results/time_left.h"

#include <gtest/gtest.h>

#include <chrono>

#include "tests/trials/study_builder.h"

namespace vernier {
namespace {

using std::chrono::seconds;

Timestamp At(int second) { return Timestamp{} + seconds(second); }

StudyBuilder Running(int trials, int parallel) {
  StudyBuilder builder(TuningSpec(trials, parallel));
  builder.job().state = JobState::kRunning;
  builder.job().wanted = JobWanted::kRun;
  return builder;
}

void Lasted(int from, int to, StudyBuilder* builder) {
  builder->Completed(1).With([from, to](TrialRecord* trial) {
    trial->started_at = At(from);
    trial->ended_at = At(to);
  });
}

void RunsSince(int from, StudyBuilder* builder) {
  builder->Active().With(
      [from](TrialRecord* trial) { trial->started_at = At(from); });
}

TEST(TimeLeftTest, TrialsTakeAsLongAsThoseBefore) {
  StudyBuilder builder = Running(7, 2);
  Lasted(0, 20, &builder);
  RunsSince(20, &builder);
  RunsSince(30, &builder);
  // Two have run for 10 s and 0 s of 20 s, and four wait: 110 s for two.
  EXPECT_EQ(TimeLeft(builder.Build(), At(30)), seconds(55));
}

TEST(TimeLeftTest, NothingEndsBeforeItsYoungestTrial) {
  StudyBuilder builder = Running(3, 2);
  Lasted(0, 20, &builder);
  RunsSince(0, &builder);
  RunsSince(30, &builder);
  EXPECT_EQ(TimeLeft(builder.Build(), At(30)), seconds(20));
}

TEST(TimeLeftTest, ATrialThatIsOverdueMayEndAtAnyMoment) {
  StudyBuilder builder = Running(2, 1);
  Lasted(0, 20, &builder);
  RunsSince(20, &builder);
  EXPECT_EQ(TimeLeft(builder.Build(), At(500)), seconds(1));
}

TEST(TimeLeftTest, OnlyTheLastTrialsSayHowLongOneTakes) {
  StudyBuilder builder = Running(201, 1);
  for (int i = 0; i < 100; ++i) Lasted(0, 1000, &builder);
  for (int i = 0; i < 100; ++i) Lasted(0, 10, &builder);
  EXPECT_EQ(TimeLeft(builder.Build(), At(0)), seconds(10));
}

TEST(TimeLeftTest, ATrialThatFailedSaysNothing) {
  StudyBuilder builder = Running(9, 1);
  builder.Failed();
  RunsSince(0, &builder);
  EXPECT_EQ(TimeLeft(builder.Build(), At(9)), std::nullopt);
}

TEST(TimeLeftTest, AJobThatDoesNotGoOnHasNone) {
  StudyBuilder builder = Running(3, 1);
  Lasted(0, 20, &builder);
  ASSERT_TRUE(TimeLeft(builder.Build(), At(30)).has_value());
  builder.job().wanted = JobWanted::kPause;
  EXPECT_EQ(TimeLeft(builder.Build(), At(30)), std::nullopt);
  builder.job().wanted = JobWanted::kRun;
  builder.job().state = JobState::kQueued;
  EXPECT_EQ(TimeLeft(builder.Build(), At(30)), std::nullopt);
  builder.job().state = JobState::kRunning;
  builder.job().max_trials = 1;
  EXPECT_EQ(TimeLeft(builder.Build(), At(30)), std::nullopt) << "nothing left";
}

}  // namespace
}  // namespace vernier
