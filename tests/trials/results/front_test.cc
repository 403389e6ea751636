#include "trials/results/front.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/trials/study_builder.h"

namespace vernier {
namespace {

// A study that minimizes both metrics, with these results.
StudySnapshot StudyOf(const std::vector<std::vector<double>>& results,
                      std::optional<double> reference = std::nullopt) {
  JobSpec spec = TuningSpec(100, 2);
  HyperparameterSpec& tuning = *spec.training_input.hyperparameters;
  tuning.goal = Goal::kMinimize;
  spec.vernier.objectives = {{tuning.metric_tag, Goal::kMinimize, reference},
                             {"latency", Goal::kMinimize}};
  StudyBuilder builder(spec);
  for (const std::vector<double>& result : results) {
    builder.Completed(result[0]).With([&](TrialRecord* trial) {
      trial->final_report = MetricReport{
          1, {}, {{tuning.metric_tag, result[0]}, {"latency", result[1]}}};
    });
  }
  return builder.Build();
}

TEST(FrontTest, HasItsTrialsItsVolumeAndTheBalancedOne) {
  // The third is dominated by the second.
  const auto front = FrontOf(StudyOf({{0, 10}, {2, 2}, {3, 3}, {10, 0}}));
  ASSERT_TRUE(front.has_value());
  EXPECT_EQ(front->trials,
            (std::vector<TrialId>{TrialId{1}, TrialId{2}, TrialId{4}}));
  EXPECT_EQ(front->knee, TrialId{2});
  EXPECT_EQ(front->reference, (std::vector<double>{11, 11}));
  // 2 x 1 + 8 x 9 + 1 x 11.
  EXPECT_DOUBLE_EQ(front->hypervolume.value(), 85);
}

TEST(FrontTest, AReferenceThatWasGivenCounts) {
  const auto front = FrontOf(StudyOf({{0, 10}, {2, 2}, {10, 0}}, 4));
  ASSERT_TRUE(front.has_value());
  EXPECT_EQ(front->reference, (std::vector<double>{4, 11}));
  // 2 x 1 + 2 x 9.
  EXPECT_DOUBLE_EQ(front->hypervolume.value(), 20);
}

TEST(FrontTest, TwoTrialsHaveNoBalancedOneAndNoneHasNoFront) {
  const auto front = FrontOf(StudyOf({{0, 10}, {10, 0}}));
  ASSERT_TRUE(front.has_value());
  EXPECT_FALSE(front->knee.has_value());
  EXPECT_FALSE(FrontOf(StudyOf({})).has_value());
}

TEST(FrontTest, HugeValuesHaveABalancedOne) {
  const auto front =
      FrontOf(StudyOf({{-1.7e308, 1.7e308}, {0, 0}, {1.7e308, -1.7e308}}));
  ASSERT_TRUE(front.has_value());
  EXPECT_EQ(front->knee, TrialId{2});
}

}  // namespace
}  // namespace vernier
