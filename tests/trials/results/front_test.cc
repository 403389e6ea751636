#include "trials/results/front.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/trials/results/study_of_two_metrics.h"
#include "trials/results/front_growth.h"

namespace vernier {
namespace {

TEST(FrontTest, HasItsTrialsItsVolumeAndTheBalancedOne) {
  // The third is dominated by the second.
  const auto front =
      FrontOf(StudyOfTwoMetrics({{0, 10}, {2, 2}, {3, 3}, {10, 0}}));
  ASSERT_TRUE(front.has_value());
  EXPECT_EQ(front->trials,
            (std::vector<TrialId>{TrialId{1}, TrialId{2}, TrialId{4}}));
  EXPECT_EQ(front->knee, TrialId{2});
  EXPECT_EQ(front->reference, (std::vector<double>{11, 11}));
  // 2 x 1 + 8 x 9 + 1 x 11.
  EXPECT_DOUBLE_EQ(front->hypervolume.value(), 85);
}

TEST(FrontTest, AReferenceThatWasGivenCounts) {
  const auto front = FrontOf(StudyOfTwoMetrics({{0, 10}, {2, 2}, {10, 0}}, 4));
  ASSERT_TRUE(front.has_value());
  EXPECT_EQ(front->reference, (std::vector<double>{4, 11}));
  // 2 x 1 + 2 x 9.
  EXPECT_DOUBLE_EQ(front->hypervolume.value(), 20);
}

TEST(FrontTest, TwoTrialsHaveNoBalancedOneAndNoneHasNoFront) {
  const auto front = FrontOf(StudyOfTwoMetrics({{0, 10}, {10, 0}}));
  ASSERT_TRUE(front.has_value());
  EXPECT_FALSE(front->knee.has_value());
  EXPECT_FALSE(FrontOf(StudyOfTwoMetrics({})).has_value());
}

TEST(FrontTest, HugeValuesHaveABalancedOne) {
  const auto front = FrontOf(
      StudyOfTwoMetrics({{-1.7e308, 1.7e308}, {0, 0}, {1.7e308, -1.7e308}}));
  ASSERT_TRUE(front.has_value());
  EXPECT_EQ(front->knee, TrialId{2});
}

TEST(FrontTest, AVolumeBeyondAllNumbersIsNotSaid) {
  for (const double size : {1e300, 1.7e308}) {
    const StudySnapshot study =
        StudyOfTwoMetrics({{-size, size}, {0, 0}, {size, -size}});
    const auto front = FrontOf(study);
    ASSERT_TRUE(front.has_value());
    EXPECT_FALSE(front->hypervolume.has_value());
    EXPECT_EQ(front->why_no_hypervolume,
              "it is larger than the largest number");
    for (const double reference : front->reference) {
      EXPECT_TRUE(std::isfinite(reference));
    }
    for (const FrontStep& step : GrowthOf(study, *front)) {
      EXPECT_TRUE(std::isfinite(step.hypervolume));
    }
  }
}

TEST(FrontTest, TheReferenceOfOneTrialIsInTheMetricsUnits) {
  const auto front = FrontOf(StudyOfTwoMetrics({{1e-9, 2e9}, {3e-9, 5e9}}));
  ASSERT_TRUE(front.has_value());
  EXPECT_DOUBLE_EQ(front->reference[0], 1.2e-9);
  EXPECT_DOUBLE_EQ(front->reference[1], 2.3e9);
  EXPECT_DOUBLE_EQ(front->hypervolume.value(), 0.06);
  EXPECT_EQ(front->why_no_hypervolume, "");
}

}  // namespace
}  // namespace vernier
