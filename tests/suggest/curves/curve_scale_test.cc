#include "suggest/curves/curve_scale.h"

#include <gtest/gtest.h>

#include <cmath>

namespace vernier {
namespace {

// The best is 5, and the median distance of finals from it is 4.
CurveScale Example() {
  return *CurveScale::Create({5, 1, -1}, {0, -7}, Goal::kMaximize);
}

TEST(CurveScaleTest, TheBestIsZeroAndAUnitBelowItLnTwo) {
  const CurveScale scale = Example();
  EXPECT_EQ(scale.ToScale(5), 0);
  EXPECT_NEAR(scale.ToScale(3), -std::log(2.0), 1e-12);
  EXPECT_NEAR(scale.ToScale(9), 2, 1e-12);  // Beyond the best it is a line.
}

TEST(CurveScaleTest, MinimizingIsTheMirrorImage) {
  const CurveScale mirrored =
      *CurveScale::Create({-5, -1, 1}, {0, 7}, Goal::kMinimize);
  for (const double value : {-7.0, 0.0, 3.0, 8.0}) {
    EXPECT_EQ(mirrored.ToScale(-value), Example().ToScale(value));
    EXPECT_NEAR(mirrored.ToValue(mirrored.ToScale(-value)), -value, 1e-12);
  }
}

TEST(CurveScaleTest, GoesBackToValuesWithItsSlope) {
  const CurveScale scale = Example();
  for (const double value : {-100.0, 0.0, 4.9, 6.0}) {
    const double scaled = scale.ToScale(value);
    EXPECT_NEAR(scale.ToValue(scaled), value, 1e-9);
    const double slope =
        (scale.ToValue(scaled + 1e-6) - scale.ToValue(scaled - 1e-6)) / 2e-6;
    EXPECT_NEAR(scale.Slope(scaled), slope, 1e-4 * slope);
  }
}

TEST(CurveScaleTest, ThereIsNoneWithoutDifferences) {
  EXPECT_FALSE(CurveScale::Create({}, {1}, Goal::kMaximize).has_value());
  EXPECT_FALSE(CurveScale::Create({2, 2, 2}, {2}, Goal::kMaximize).has_value());
}

TEST(CurveScaleTest, TrainingsThatEndAlikeDifferAlongTheWay) {
  const auto scale = CurveScale::Create({5, 5}, {1, 5, 1, 5}, Goal::kMaximize);
  ASSERT_TRUE(scale.has_value());
  EXPECT_NEAR(scale->ToScale(3), -std::log(2.0), 1e-12);
}

TEST(CurveScaleTest, StaysFiniteOnHugeValues) {
  const auto scale =
      CurveScale::Create({1e308, -1e308, 0}, {-1e308}, Goal::kMaximize);
  ASSERT_TRUE(scale.has_value());
  EXPECT_TRUE(std::isfinite(scale->ToScale(-1e308)));
  EXPECT_TRUE(std::isfinite(scale->ToScale(1e308)));
}

}  // namespace
}  // namespace vernier
