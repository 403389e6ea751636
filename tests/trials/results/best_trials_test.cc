#include "trials/results/best_trials.h"

#include <gtest/gtest.h>

#include <utility>

#include "tests/trials/study_builder.h"

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

TEST(BestTrialsTest, AnEmptyStudyHasNone) {
  EXPECT_TRUE(BestFirst(StudyBuilder(TuningSpec(1, 1)).Build()).empty());
}

}  // namespace
}  // namespace vernier
