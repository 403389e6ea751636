#include "trials/best_trials.h"

#include <gtest/gtest.h>

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

TEST(BestTrialsTest, AnEmptyStudyHasNone) {
  EXPECT_TRUE(BestFirst(StudyBuilder(TuningSpec(1, 1)).Build()).empty());
}

}  // namespace
}  // namespace vernier
