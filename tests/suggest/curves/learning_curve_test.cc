#include "suggest/curves/learning_curve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace vernier {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargest = std::numeric_limits<double>::max();

TEST(LearningCurveTest, AveragesWhatWasReportedUpToEachStep) {
  EXPECT_EQ(RunningAverage({{1, 6}, {2, 2}, {3, 4}, {10, 0}}),
            (Curve{{1, 6}, {2, 4}, {3, 4}, {10, 3}}));
  EXPECT_EQ(RunningAverage({{5, 0.25}}), (Curve{{5, 0.25}}));
  EXPECT_EQ(RunningAverage({}), Curve{});
}

TEST(LearningCurveTest, OrdersStepsAndTakesTheLastReportOfEach) {
  EXPECT_EQ(RunningAverage({{3, 9}, {1, 4}, {3, 1}, {1, 3}}),
            (Curve{{1, 3}, {3, 2}}));
}

TEST(LearningCurveTest, LeavesOutWhatIsNotFinite) {
  EXPECT_EQ(
      RunningAverage(
          {{1, 1}, {2, std::nan("")}, {3, 3}, {4, kInfinity}, {5, -kInfinity}}),
      (Curve{{1, 1}, {3, 2}}));
  // A NaN does not take the place of a value at the same step.
  EXPECT_EQ(RunningAverage({{1, 1}, {1, std::nan("")}}), (Curve{{1, 1}}));
}

TEST(LearningCurveTest, NeverOverflows) {
  for (const CurvePoint& point : RunningAverage(
           {{1, kLargest}, {2, kLargest}, {3, -kLargest}, {4, -kLargest}})) {
    EXPECT_TRUE(std::isfinite(point.value)) << point.step;
  }
}

TEST(LearningCurveTest, ThinsLongCurvesButKeepsTheirEndsAndMeans) {
  std::vector<CurvePoint> reports;
  for (std::int64_t step = 1; step <= 10000; ++step) {
    reports.push_back({step, static_cast<double>(step)});
  }
  const Curve curve = RunningAverage(reports);
  ASSERT_EQ(curve.size(), kMaxCurvePoints);
  EXPECT_EQ(curve.front().step, 1);
  EXPECT_EQ(curve.back().step, 10000);
  for (std::size_t i = 0; i < curve.size(); ++i) {
    // The mean of 1, 2, ..., n is (n + 1) / 2.
    EXPECT_NEAR(curve[i].value, (static_cast<double>(curve[i].step) + 1) / 2,
                1e-8);
    EXPECT_TRUE(i == 0 || curve[i].step > curve[i - 1].step);
  }
}

TEST(LearningCurveTest, KeepsEveryPointOfAShortCurve) {
  std::vector<CurvePoint> reports;
  for (std::int64_t step = 1; step <= 64; ++step) reports.push_back({step, 1});
  EXPECT_EQ(RunningAverage(reports).size(), 64u);
  reports.push_back({65, 1});
  EXPECT_EQ(RunningAverage(reports).size(), 64u);
}

TEST(LearningCurveTest, InterpolatesBetweenPointsAndNeverBeyond) {
  const Curve curve = {{10, 1}, {20, 5}, {24, 3}};
  EXPECT_EQ(ValueAt(curve, 10), 1);
  EXPECT_EQ(ValueAt(curve, 15), 3);
  EXPECT_EQ(ValueAt(curve, 20), 5);
  EXPECT_EQ(ValueAt(curve, 21), 4.5);
  EXPECT_EQ(ValueAt(curve, 24), 3);
  EXPECT_EQ(ValueAt(curve, 9), std::nullopt);
  EXPECT_EQ(ValueAt(curve, 25), std::nullopt);
  EXPECT_EQ(ValueAt({}, 1), std::nullopt);
}

TEST(LearningCurveTest, InterpolatesOverTheWidestStepsAndValues) {
  const Curve curve = {{std::numeric_limits<std::int64_t>::min(), -kLargest},
                       {std::numeric_limits<std::int64_t>::max(), kLargest}};
  const std::optional<double> middle = ValueAt(curve, 0);
  ASSERT_TRUE(middle.has_value());
  EXPECT_TRUE(std::isfinite(*middle));
}

}  // namespace
}  // namespace vernier
