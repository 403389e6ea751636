#include "trials/results/front.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/trials/results/study_of_two_metrics.h"

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

}  // namespace
}  // namespace vernier
