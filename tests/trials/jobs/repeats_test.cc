// Jobs that try points several times, as the orchestrator runs them.

#include <gtest/gtest.h>

#include "tests/trials/jobs/orchestrator_bed.h"
#include "tests/trials/study_builder.h"

namespace vernier {
namespace {

class RepeatsTest : public testing::Test, protected OrchestratorBed {
 protected:
  void Submit(int max_trials, int parallel,
              Algorithm algorithm = Algorithm::kDefault) {
    JobSpec spec = TuningSpec(max_trials, parallel);
    spec.vernier.algorithm = algorithm;
    spec.vernier.repeats = {RepeatPolicy::kFixed, 3};
    OrchestratorBed::Submit(std::move(spec));
    Start();
    Step();
  }
  /// The trial ends well with this loss, and the next may start.
  void End(std::int64_t trial, double loss, int attempt = 1) {
    metrics_.Report(Key(trial, attempt), {"loss", 1, clock_.Now(), loss});
    launcher_.Exit(Key(trial, attempt), 0);
    Step();
  }
  std::optional<PointRepeat> RepeatAt(std::int64_t trial) {
    return Trial(trial).origin.record->repeat;
  }
};

class RepeatsOfTest : public RepeatsTest,
                      public testing::WithParamInterface<Algorithm> {};

TEST_P(RepeatsOfTest, EachPointIsTriedThreeTimes) {
  Submit(6, 1, GetParam());
  for (std::int64_t trial = 1; trial <= 6; ++trial) {
    End(trial, 0.5 + 0.25 * static_cast<double>(trial % 3));
  }
  ASSERT_EQ(Study()->trials.size(), 6u);
  EXPECT_EQ(JobRunOf(*Study()).state, JobState::kSucceeded);
  EXPECT_EQ(RepeatAt(1), std::nullopt);
  EXPECT_EQ(RepeatAt(2), (PointRepeat{1, 2, 3}));
  EXPECT_EQ(RepeatAt(3), (PointRepeat{1, 3, 3}));
  EXPECT_EQ(RepeatAt(4), std::nullopt);
  EXPECT_EQ(RepeatAt(6), (PointRepeat{4, 3, 3}));
  EXPECT_EQ(Trial(3).parameters, Trial(1).parameters);
  EXPECT_NE(Trial(4).parameters, Trial(1).parameters);
  EXPECT_EQ(launcher_.started()[1].repeat, 2);
  EXPECT_EQ(launcher_.started()[3].repeat, 1);
}

INSTANTIATE_TEST_SUITE_P(Algorithms, RepeatsOfTest,
                         testing::Values(Algorithm::kDefault,
                                         Algorithm::kRandomSearch,
                                         Algorithm::kQuasiRandomSearch));

TEST_F(RepeatsTest, WorkersThatWouldWaitTryNewPoints) {
  Submit(9, 2);
  EXPECT_NE(Trial(1).parameters, Trial(2).parameters);
  End(1, 0.5);
  EXPECT_EQ(RepeatAt(3), (PointRepeat{1, 2, 3}));
  End(2, 0.25);
  EXPECT_EQ(RepeatAt(4), (PointRepeat{2, 2, 3})) << "2 is better than 1";
  EXPECT_EQ(launcher_.Alive().size(), 2u);
}

TEST_F(RepeatsTest, AfterARestartTheRepeatsGoOn) {
  Submit(6, 1);
  End(1, 0.5);
  Restart();
  Step(2);
  End(2, 0.75);
  EXPECT_EQ(RepeatAt(2), (PointRepeat{1, 2, 3}));
  EXPECT_EQ(RepeatAt(3), (PointRepeat{1, 3, 3}));
}

TEST_F(RepeatsTest, APointThatFailedIsNotRepeated) {
  Submit(6, 1);
  launcher_.Exit(Key(1), 78);
  Step();
  EXPECT_EQ(RepeatAt(2), std::nullopt);
  EXPECT_NE(Trial(2).parameters, Trial(1).parameters);
}

TEST_F(RepeatsTest, OtherJobsHaveNoRepeats) {
  OrchestratorBed::Submit(TuningSpec(3, 1));
  Start();
  Step();
  for (std::int64_t trial = 1; trial <= 3; ++trial) End(trial, 0.5);
  EXPECT_NE(Trial(2).parameters, Trial(1).parameters);
  EXPECT_EQ(launcher_.started().back().repeat, 0);
}

}  // namespace
}  // namespace vernier
