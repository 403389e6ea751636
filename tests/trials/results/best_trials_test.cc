#include "trials/results/best_trials.h"

#include <gtest/gtest.h>

#include <utility>

#include "tests/trials/study_builder.h"
#include "trials/results/point_means.h"

namespace vernier {
namespace {

std::vector<std::int64_t> Ids(const StudyBuilder& study) {
  std::vector<std::int64_t> ids;
  for (TrialId id : BestFirst(study.Build())) ids.push_back(ToInt(id));
  return ids;
}

StudyBuilder SomeTrials(Goal goal) {
  JobSpec spec = TuningSpec(9, 9);
  spec.training_input.hyperparameters->goal = goal;
  StudyBuilder study(spec);
  study.Failed().Completed(2).Completed(1).Active().Completed(2).Completed(3);
  return study;
}

TEST(BestTrialsTest, SortsByTheGoalTiesByIdAndThoseWithoutValueLast) {
  EXPECT_EQ(Ids(SomeTrials(Goal::kMinimize)),
            (std::vector<std::int64_t>{3, 2, 5, 6, 1, 4}));
  EXPECT_EQ(Ids(SomeTrials(Goal::kMaximize)),
            (std::vector<std::int64_t>{6, 2, 5, 3, 1, 4}));
}

// Whoever stopped it, and however good its last value was.
TEST(BestTrialsTest, WhatIsNotCompleteIsNeverTheBest) {
  for (const auto& [state, cause] :
       {std::pair(TrialState::kStopped, TrialEndCause::kStoppedEarly),
        std::pair(TrialState::kStopped, TrialEndCause::kStoppedByUser),
        std::pair(TrialState::kStopped, TrialEndCause::kCancelled),
        std::pair(TrialState::kInfeasible, TrialEndCause::kInfeasible)}) {
    const auto end = [state = state, cause = cause](TrialRecord* trial) {
      trial->state = state;
      trial->end_cause = cause;
    };
    StudyBuilder study(TuningSpec(9, 9));
    study.Completed(0.1).With(end);
    EXPECT_EQ(BestTrial(study.Build()), nullptr) << ToString(cause);
    study.Completed(0.5).Completed(0.2).With(end).Failed().Completed(0.75);
    const StudySnapshot& built = study.Build();
    ASSERT_NE(BestTrial(built), nullptr);
    EXPECT_EQ(BestTrial(built)->id, TrialId{2}) << ToString(cause);
    // Stopped ones keep their value, and so come before those without.
    EXPECT_EQ(Ids(study), (std::vector<std::int64_t>{2, 5, 1, 3, 4}));
  }
}

StudyBuilder RepeatedTrials() {
  JobSpec spec = TuningSpec(9, 9);
  spec.vernier.repeats = {RepeatPolicy::kFixed, 3};
  StudyBuilder study(spec);
  const auto at = [](double x) {
    return [x](TrialRecord* trial) { trial->parameters = {{"x", x}}; };
  };
  study.Completed(2).With(at(0.25)).Completed(0.5).With(at(0.75));
  study.Completed(2.1).With(at(0.25)).Completed(5).With(at(0.75));
  study.Completed(1.9).With(at(0.25));
  return study;
}

TEST(BestTrialsTest, WithRepeatsTheBestIsByTheMeanOfItsPoint) {
  const StudyBuilder study = RepeatedTrials();
  ASSERT_NE(BestTrial(study.Build()), nullptr);
  EXPECT_EQ(BestTrial(study.Build())->id, TrialId{1});
  EXPECT_EQ(Ids(study), (std::vector<std::int64_t>{1, 3, 5, 2, 4}));
}

TEST(PointMeansTest, AreInTheUnitsOfTheMetricBestFirst) {
  const StudyBuilder study = RepeatedTrials();
  const std::vector<PointMean> points = RepeatedPoints(study.Build(), 20);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].trial, TrialId{1});
  EXPECT_EQ(points[0].count, 3);
  EXPECT_DOUBLE_EQ(points[0].mean, 2);
  EXPECT_DOUBLE_EQ(points[1].mean, 2.75);
  EXPECT_GT(*points[1].half_interval, *points[0].half_interval);
  EXPECT_EQ(RepeatedPoints(study.Build(), 1).size(), 1u);
  EXPECT_EQ(PointMeanOf(study.Build(), TrialId{4})->trial, TrialId{2});
}

TEST(PointMeansTest, AFailedRepeatRulesItsPointOut) {
  StudyBuilder study = RepeatedTrials();
  study.Completed(1).With([](TrialRecord* trial) {
    trial->parameters = {{"x", 0.25}};
    trial->state = TrialState::kInfeasible;
    trial->end_cause = TrialEndCause::kInfeasible;
  });
  EXPECT_EQ(BestTrial(study.Build())->id, TrialId{2});
  EXPECT_EQ(RepeatedPoints(study.Build(), 20).size(), 1u);
}

TEST(PointMeansTest, WithoutRepeatsThereAreNone) {
  StudyBuilder study(TuningSpec(9, 9));
  study.Completed(2).Completed(1);
  EXPECT_TRUE(RepeatedPoints(study.Build(), 20).empty());
  EXPECT_EQ(PointMeanOf(study.Build(), TrialId{1}), std::nullopt);
}

TEST(BestTrialsTest, AnEmptyStudyHasNone) {
  EXPECT_TRUE(BestFirst(StudyBuilder(TuningSpec(1, 1)).Build()).empty());
}

}  // namespace
}  // namespace vernier
