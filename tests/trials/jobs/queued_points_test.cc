// Points given by hand, before a study and during it, as the orchestrator runs
// them.

#include <gtest/gtest.h>

#include <set>

#include "tests/trials/jobs/orchestrator_bed.h"
#include "tests/trials/study_builder.h"

namespace vernier {
namespace {

/// Every algorithm that can search a line of 8.
class QueuedPointsTest : public testing::TestWithParam<Algorithm>,
                         protected OrchestratorBed {
 protected:
  static JobSpec Spec(Algorithm algorithm, int max_trials, int parallel) {
    JobSpec spec = TuningSpec(max_trials, parallel);
    ParameterSpec& x = spec.training_input.hyperparameters->params[0];
    x.type = ParameterType::kInteger;
    x.min_value = 1;
    x.max_value = 8;
    spec.vernier.algorithm = algorithm;
    return spec;
  }
  static Parameters Point(std::int64_t x) { return {{"x", x}}; }
  void Submit(int max_trials, int parallel,
              const std::vector<Parameters>& points = {}) {
    JobSpec spec = Spec(GetParam(), max_trials, parallel);
    spec.vernier.initial_points = points;
    OrchestratorBed::Submit(std::move(spec));
  }
  void Queue(const std::vector<Parameters>& points) {
    Commit(QueuePoints{study_, points});
  }
  void Want(JobWanted wanted) {
    Commit(SetJobWanted{study_, wanted, WantedCause::kUser, "test"});
  }
  void Commit(const Change& change) {
    const absl::Status status = store_.Commit({change}, clock_.Now());
    ASSERT_TRUE(status.ok()) << status;
  }
  /// The trial ends well with its x as the loss, and the next may start.
  void End(std::int64_t trial) {
    const auto x = std::get<std::int64_t>(Trial(trial).parameters[0].value);
    metrics_.Report(Key(trial),
                    {"loss", 1, clock_.Now(), static_cast<double>(x)});
    launcher_.Exit(Key(trial), 0);
    Step();
  }
  std::int64_t Count() {
    return static_cast<std::int64_t>(Study()->trials.size());
  }
  SuggestionMethod MethodOf(std::int64_t id) {
    return Trial(id).origin.record->method;
  }
};

TEST_P(QueuedPointsTest, InitialPointsAreTheFirstTrialsInOrder) {
  Submit(5, 1, {Point(7), Point(2), Point(7)});
  Start();
  Step();
  for (std::int64_t trial = 1; trial <= 4; ++trial) End(trial);
  EXPECT_EQ(Trial(1).parameters, Point(7));
  EXPECT_EQ(Trial(2).parameters, Point(2));
  EXPECT_EQ(Trial(3).parameters, Point(7)) << "a repetition is meant";
  for (std::int64_t trial = 1; trial <= 3; ++trial) {
    EXPECT_EQ(MethodOf(trial), SuggestionMethod::kUser);
    EXPECT_EQ(Trial(trial).origin.suggester, "USER");
  }
  EXPECT_NE(MethodOf(4), SuggestionMethod::kUser);
  EXPECT_TRUE(Study()->queued.empty());
}

TEST_P(QueuedPointsTest, FreeSlotsBeyondThePointsGetSuggestionsAtOnce) {
  Submit(8, 4, {Point(7), Point(2)});
  Start();
  Step();
  ASSERT_EQ(launcher_.Alive().size(), 4u);
  EXPECT_EQ(MethodOf(2), SuggestionMethod::kUser);
  EXPECT_NE(MethodOf(3), SuggestionMethod::kUser);
  EXPECT_EQ(Trial(3).origin.record->num_pending, 2) << "it knew the points";
}

TEST_P(QueuedPointsTest, TheNextFreeSlotRunsAPointThatWasAdded) {
  Submit(6, 1);
  Start();
  Step();
  Queue({Point(8), Point(5)});
  Step();
  EXPECT_EQ(Count(), 1) << "there was no free slot";
  End(1);
  EXPECT_EQ(Trial(2).parameters, Point(8));
  End(2);
  EXPECT_EQ(Trial(3).parameters, Point(5));
  End(3);
  EXPECT_EQ(Count(), 4);
  EXPECT_NE(MethodOf(4), SuggestionMethod::kUser);
}

TEST_P(QueuedPointsTest, WhatWaitsIsTriedAfterARestart) {
  Submit(6, 1, {Point(3)});
  Start();
  Step();
  Queue({Point(8)});
  Restart();
  End(1);
  EXPECT_EQ(Trial(2).parameters, Point(8));
  EXPECT_EQ(launcher_.started().size(), 2u);
}

TEST_P(QueuedPointsTest, APausedJobKeepsItsPointsForLater) {
  Submit(6, 2);
  Want(JobWanted::kPause);
  Start();
  Queue({Point(8)});
  Step();
  EXPECT_EQ(Count(), 0);
  Want(JobWanted::kRun);
  Step();
  EXPECT_EQ(Trial(1).parameters, Point(8));
}

TEST_P(QueuedPointsTest, PointsCountAmongMaxTrials) {
  Submit(3, 1);
  Start();
  Step();
  Queue({Point(8), Point(8)});
  for (std::int64_t trial = 1; trial <= 3; ++trial) End(trial);
  EXPECT_EQ(JobRunOf(*Study()).state, JobState::kSucceeded);
  EXPECT_EQ(Count(), 3);
}

TEST_P(QueuedPointsTest, APointThatWasAddedWhileOneWasChosenComesFirst) {
  Submit(6, 1);
  Start();
  // As if it had come between the snapshot and the commit.
  Queue({Point(8)});
  const absl::Status late = store_.Commit(
      {CreateTrials{study_, {{Point(1), {"DEFAULT", {}, SuggestionRecord{}}}}}},
      clock_.Now());
  EXPECT_EQ(late.code(), absl::StatusCode::kAborted);
  Step();
  EXPECT_EQ(Trial(1).parameters, Point(8));
}

// All eight configurations are tried once, one of them by hand.
TEST_P(QueuedPointsTest, NoConfigurationIsSuggestedThatWasGivenByHand) {
  Submit(8, 1, {Point(5)});
  Start();
  Step();
  std::set<std::int64_t> tried;
  for (std::int64_t trial = 1; trial <= 8; ++trial) {
    tried.insert(std::get<std::int64_t>(Trial(trial).parameters[0].value));
    End(trial);
  }
  EXPECT_EQ(tried.size(), 8u);
}

TEST_P(QueuedPointsTest, AUsedUpSpaceStillTakesPoints) {
  Submit(10, 2);
  Start();
  Step();
  for (std::int64_t trial = 1; trial <= 7; ++trial) End(trial);
  Step();
  ASSERT_EQ(launcher_.Alive().size(), 1u) << "there is nothing else to try";
  Queue({Point(1), Point(2)});
  Step();
  ASSERT_EQ(launcher_.Alive().size(), 2u);
  for (std::int64_t trial = 8; trial <= 10; ++trial) End(trial);
  EXPECT_EQ(Count(), 10);
  EXPECT_EQ(Trial(10).parameters, Point(2));
  EXPECT_EQ(JobRunOf(*Study()).state, JobState::kSucceeded);
}

TEST_P(QueuedPointsTest, ItsResultTeachesAsAnyOther) {
  Submit(8, 1, {Point(1)});
  Start();
  Step();
  End(1);
  EXPECT_EQ(Trial(1).final_measurement, (FinalMeasurement{1, 1}));
  End(2);
  EXPECT_GE(Trial(3).origin.record->num_completed, 1);
}

std::string NameOf(const testing::TestParamInfo<Algorithm>& algorithm) {
  switch (algorithm.param) {
    case Algorithm::kDefault:
      return "Default";
    case Algorithm::kGridSearch:
      return "Grid";
    case Algorithm::kShuffledGridSearch:
      return "ShuffledGrid";
    case Algorithm::kRandomSearch:
      return "Random";
    case Algorithm::kQuasiRandomSearch:
      return "QuasiRandom";
  }
  return "";
}

INSTANTIATE_TEST_SUITE_P(Algorithms, QueuedPointsTest,
                         testing::Values(Algorithm::kDefault,
                                         Algorithm::kGridSearch,
                                         Algorithm::kShuffledGridSearch,
                                         Algorithm::kRandomSearch,
                                         Algorithm::kQuasiRandomSearch),
                         NameOf);

}  // namespace
}  // namespace vernier
