#include "suggest/curves/curve_sample.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

TEST(CurveSampleTest, KeepsAShortCurveWhole) {
  CurveSample sample(Goal::kMinimize);
  EXPECT_TRUE(sample.empty());
  Curve curve;
  for (std::int64_t step = 1; step <= 62; ++step) {
    curve.push_back({step * 10, 1.0 / static_cast<double>(step)});
    sample.Add(curve.back());
    EXPECT_EQ(sample.Points(), curve);
  }
  EXPECT_EQ(sample.last(), curve.back());
}

TEST(CurveSampleTest, KeepsFirstBestAndLastOfALongOne) {
  for (const Goal goal : {Goal::kMinimize, Goal::kMaximize}) {
    CurveSample sample(goal);
    const double best = goal == Goal::kMinimize ? -7 : 7;
    for (std::int64_t step = 1; step <= 10007; ++step) {
      sample.Add({step, step == 4321 ? best : 0.5});
      const Curve points = sample.Points();
      ASSERT_LE(points.size(), kMaxCurvePoints);
      ASSERT_EQ(points.front().step, 1);
      ASSERT_EQ(points.back().step, step);
      for (std::size_t i = 1; i < points.size(); ++i) {
        ASSERT_LT(points[i - 1].step, points[i].step);
      }
    }
    int at_best = 0;
    for (const CurvePoint& point : sample.Points()) {
      at_best += point == CurvePoint{4321, best};
    }
    EXPECT_EQ(at_best, 1);
    EXPECT_GE(sample.Points().size(), kMaxCurvePoints / 2);
  }
}

TEST(CurveSampleTest, TheFirstOfEquallyGoodOnesIsTheBest) {
  CurveSample sample(Goal::kMaximize);
  for (std::int64_t step = 1; step <= 300; ++step) {
    sample.Add({step, step == 101 || step == 203 ? 9.0 : 0.0});
  }
  int nines = 0;
  for (const CurvePoint& point : sample.Points()) nines += point.value == 9;
  EXPECT_EQ(nines, 1);
}

}  // namespace
}  // namespace vernier
