#include "trials/results/front_growth.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/trials/results/study_of_two_metrics.h"

namespace vernier {
namespace {

using Steps = std::vector<std::pair<std::int64_t, double>>;

Steps GrowthOf(const StudySnapshot& study) {
  Steps steps;
  for (const FrontStep& step : GrowthOf(study, *FrontOf(study))) {
    steps.emplace_back(ToInt(step.trial), step.hypervolume);
  }
  return steps;
}

TEST(FrontGrowthTest, IsOfTheTrialsThatWidenedIt) {
  // The third is dominated, the fourth failed, the fifth repeats the second.
  const StudySnapshot study =
      StudyOfTwoMetrics({{0, 10}, {2, 2}, {3, 3}, {}, {2, 2}, {10, 0}});
  // Above (11, 11): 11 x 1; and 9 x 9 less what both have; and 1 x 2.
  EXPECT_EQ(GrowthOf(study), (Steps{{1, 11}, {2, 83}, {6, 85}}));
  EXPECT_DOUBLE_EQ(FrontOf(study)->hypervolume.value(), 85);
}

TEST(FrontGrowthTest, WhatIsNoBetterThanTheReferenceWidensNothing) {
  EXPECT_EQ(GrowthOf(StudyOfTwoMetrics({{10, 0}, {2, 2}, {0, 10}}, 4)),
            (Steps{{2, 18}, {3, 20}}));
}

TEST(FrontGrowthTest, OfVeryManyTrialsThereIsNone) {
  std::vector<std::vector<double>> results(5001, {1, 1});
  results[0] = {0, 2};
  EXPECT_TRUE(GrowthOf(StudyOfTwoMetrics(results)).empty());
  results.pop_back();
  EXPECT_FALSE(GrowthOf(StudyOfTwoMetrics(results)).empty());
}

}  // namespace
}  // namespace vernier
