#include "suggest/stopping/median_stopping_rule.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

/// A trial that reported `values` at steps 1, 2, ... and ended well.
ReferenceTrial Ended(const std::vector<double>& values) {
  std::vector<CurvePoint> reports;
  for (const double value : values) {
    reports.push_back({static_cast<std::int64_t>(reports.size()) + 1, value});
  }
  return {RunningAverage(reports), values.back(), false};
}

ReferenceTrial Stopped(const std::vector<double>& values) {
  ReferenceTrial trial = Ended(values);
  trial.is_stopped_early = true;
  return trial;
}

/// Five trials whose running averages at step 2 are 1, 2, 3, 4, 5, at step 1
/// 0, 1, 2, 3, 4, and at step 4 7, 8, 9, 10, 11.
std::vector<ReferenceTrial> Five() {
  std::vector<ReferenceTrial> ended;
  for (const double base : {3, 1, 5, 2, 4}) {
    ended.push_back(Ended({base - 1, base + 1, base + 10, base + 14}));
  }
  return ended;
}

TEST(MedianStoppingRuleTest, StopsWhatIsWorseThanTheMedianOfRunningAverages) {
  const MedianVerdict verdict =
      ApplyMedianRule(Five(), {2, 2.5}, Goal::kMaximize);
  EXPECT_TRUE(verdict.should_stop);
  EXPECT_EQ(verdict.references, 5);
  // Not 4, the median of the values there.
  EXPECT_EQ(verdict.median, 3);
  EXPECT_FALSE(ApplyMedianRule(Five(), {2, 3.5}, Goal::kMaximize).should_stop);
}

TEST(MedianStoppingRuleTest, LooksAtTheStepOfTheLastReport) {
  EXPECT_FALSE(ApplyMedianRule(Five(), {1, 2.5}, Goal::kMaximize).should_stop);
  EXPECT_TRUE(ApplyMedianRule(Five(), {1, 1.5}, Goal::kMaximize).should_stop);
  EXPECT_EQ(ApplyMedianRule(Five(), {4, 0}, Goal::kMaximize).median, 9);
}

TEST(MedianStoppingRuleTest, EqualIsNotWorse) {
  EXPECT_FALSE(ApplyMedianRule(Five(), {2, 3}, Goal::kMaximize).should_stop);
  EXPECT_FALSE(ApplyMedianRule(Five(), {2, 3}, Goal::kMinimize).should_stop);
}

TEST(MedianStoppingRuleTest, MinimizeIsTheMirrorOfMaximize) {
  for (const std::int64_t step : {0, 1, 2, 3, 4, 5}) {
    for (const double best : {-1.0, 0.5, 2.0, 2.5, 3.0, 8.5, 12.0, 30.0}) {
      std::vector<ReferenceTrial> mirrored = Five();
      for (ReferenceTrial& trial : mirrored) {
        trial.final_value *= -1;
        for (CurvePoint& point : trial.running_average) point.value *= -1;
      }
      const MedianVerdict up =
          ApplyMedianRule(Five(), {step, best}, Goal::kMaximize);
      const MedianVerdict down =
          ApplyMedianRule(mirrored, {step, -best}, Goal::kMinimize);
      EXPECT_EQ(up.should_stop, down.should_stop) << step << " " << best;
      EXPECT_EQ(up.median, -down.median) << step << " " << best;
    }
  }
}

TEST(MedianStoppingRuleTest, AnEvenNumberHasItsMedianInTheMiddle) {
  std::vector<ReferenceTrial> ended = Five();
  ended.push_back(Ended({9, 11, 20, 24}));  // 10 at step 2.
  const MedianVerdict verdict = ApplyMedianRule(ended, {2, 3}, Goal::kMaximize);
  EXPECT_EQ(verdict.median, 3.5);
  EXPECT_TRUE(verdict.should_stop);
}

TEST(MedianStoppingRuleTest, InterpolatesRunningAveragesBetweenSteps) {
  std::vector<ReferenceTrial> ended;
  for (int i = 0; i < 5; ++i) {
    // Averages 2 at step 10 and 4 at step 20; 3 in the middle.
    ended.push_back({RunningAverage({{10, 2}, {20, 6}}), 6, false});
  }
  EXPECT_EQ(ApplyMedianRule(ended, {15, 0}, Goal::kMaximize).median, 3);
  EXPECT_TRUE(ApplyMedianRule(ended, {15, 2.5}, Goal::kMaximize).should_stop);
  EXPECT_FALSE(ApplyMedianRule(ended, {15, 3.5}, Goal::kMaximize).should_stop);
}

TEST(MedianStoppingRuleTest, ACurveThatDoesNotReachTheStepTakesNoPart) {
  std::vector<ReferenceTrial> ended = Five();
  EXPECT_EQ(ApplyMedianRule(ended, {5, 0}, Goal::kMaximize).references, 0);
  EXPECT_FALSE(ApplyMedianRule(ended, {5, 0}, Goal::kMaximize).should_stop);
  ended.push_back({RunningAverage({{3, 50}, {9, 50}}), 50, false});
  EXPECT_EQ(ApplyMedianRule(ended, {2, 0}, Goal::kMaximize).references, 5);
  EXPECT_EQ(ApplyMedianRule(ended, {3, 0}, Goal::kMaximize).references, 6);
}

TEST(MedianStoppingRuleTest, NeedsFiveReferencesAtTheStep) {
  std::vector<ReferenceTrial> ended = Five();
  ended.back() = Stopped({-9});
  EXPECT_FALSE(ApplyMedianRule(ended, {2, 0}, Goal::kMaximize).should_stop);
  EXPECT_EQ(ApplyMedianRule(ended, {2, 0}, Goal::kMaximize).references, 4);
  EXPECT_FALSE(ApplyMedianRule({}, {2, 0}, Goal::kMaximize).should_stop);
}

TEST(MedianStoppingRuleTest, NeverBeforeTheFirstStep) {
  std::vector<ReferenceTrial> ended;
  for (int i = 0; i < 5; ++i) {
    ended.push_back({RunningAverage({{-1, 1}, {0, 1}, {2, 1}}), 1, false});
  }
  EXPECT_FALSE(ApplyMedianRule(ended, {0, 0}, Goal::kMaximize).should_stop);
  EXPECT_TRUE(ApplyMedianRule(ended, {1, 0}, Goal::kMaximize).should_stop);
  // Programs that never say a step: all at 0.
  for (ReferenceTrial& trial : ended) trial.running_average = {{0, 1}};
  ended.push_back({{{-1, 1}, {0, 1}, {1, 1}}, 1, true});
  EXPECT_FALSE(ApplyMedianRule(ended, {0, 0}, Goal::kMaximize).should_stop);
}

TEST(MedianStoppingRuleTest, NeverBeforeATenthOfATypicalTraining) {
  std::vector<ReferenceTrial> ended;
  for (const std::int64_t last : {10, 100, 100, 100, 5000}) {
    ended.push_back({RunningAverage({{1, 1}, {last, 1}}), 1, false});
  }
  EXPECT_FALSE(ApplyMedianRule(ended, {9, 0}, Goal::kMaximize).should_stop);
  EXPECT_TRUE(ApplyMedianRule(ended, {10, 0}, Goal::kMaximize).should_stop);
  // Trainings that were cut short do not make the typical one shorter.
  for (int i = 0; i < 9; ++i) ended.push_back(Stopped({1, 1}));
  EXPECT_FALSE(ApplyMedianRule(ended, {9, 0}, Goal::kMaximize).should_stop);
  EXPECT_TRUE(ApplyMedianRule(ended, {10, 0}, Goal::kMaximize).should_stop);
}

TEST(MedianStoppingRuleTest, StoppedTrialsCountUpToTheirLastStep) {
  std::vector<ReferenceTrial> ended = Five();
  for (int i = 0; i < 4; ++i) ended.push_back(Stopped({0, 0}));
  // Averages at step 2: 0 four times, then 1 to 5.
  const MedianVerdict early = ApplyMedianRule(ended, {2, 0.5}, Goal::kMaximize);
  EXPECT_EQ(early.references, 9);
  EXPECT_EQ(early.median, 1);
  EXPECT_TRUE(early.should_stop);
  EXPECT_EQ(ApplyMedianRule(ended, {4, 0}, Goal::kMaximize).references, 5);
}

TEST(MedianStoppingRuleTest, NothingStopsWithoutATrainingThatWentToItsEnd) {
  const std::vector<ReferenceTrial> ended(5, Stopped({2, 2, 2}));
  EXPECT_FALSE(ApplyMedianRule(ended, {2, 1}, Goal::kMaximize).should_stop);
}

TEST(MedianStoppingRuleTest, NeverAtTheEndOfTheLongestTraining) {
  std::vector<ReferenceTrial> ended = Five();
  EXPECT_TRUE(ApplyMedianRule(ended, {3, 0}, Goal::kMaximize).should_stop);
  EXPECT_FALSE(ApplyMedianRule(ended, {4, 0}, Goal::kMaximize).should_stop);
  ended.push_back(Ended({1, 1, 1, 1, 1}));
  EXPECT_TRUE(ApplyMedianRule(ended, {4, 0}, Goal::kMaximize).should_stop);
}

TEST(MedianStoppingRuleTest, NeverStopsTheBestSoFar) {
  // Trainings that get worse: running averages of 6, final values of 2.
  const std::vector<ReferenceTrial> ended(5, Ended({10, 2, 2}));
  EXPECT_EQ(ApplyMedianRule(ended, {2, 5}, Goal::kMaximize).median, 6);
  EXPECT_FALSE(ApplyMedianRule(ended, {2, 5}, Goal::kMaximize).should_stop);
  EXPECT_FALSE(ApplyMedianRule(ended, {2, 2}, Goal::kMaximize).should_stop);
  EXPECT_TRUE(ApplyMedianRule(ended, {2, 1.5}, Goal::kMaximize).should_stop);
}

TEST(MedianStoppingRuleTest, SaysWhyInNumbers) {
  EXPECT_EQ(Explain(ApplyMedianRule(Five(), {2, 2.5}, Goal::kMaximize)),
            "The median rule stopped it at step 2: its best value so far, 2.5, "
            "is below 3, the median of what 5 earlier trials had on average by "
            "then.");
  EXPECT_NE(
      Explain(ApplyMedianRule(Five(), {2, 3.5}, Goal::kMinimize)).find("above"),
      std::string::npos);
}

}  // namespace
}  // namespace vernier
