#include "cluster/metrics/thinning.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace vernier {
namespace {

Measurement Value(std::int64_t number, double value,
                  const std::string& metric = "loss") {
  return {metric, number, Timestamp{}, value};
}

std::vector<Measurement> Thin(const std::vector<double>& values) {
  CurveThinner thinner;
  std::vector<Measurement> kept;
  std::int64_t number = 0;
  for (const double value : values) thinner.Take(Value(++number, value), kept);
  thinner.Finish(kept);
  return kept;
}

TEST(CurveThinnerTest, KeepsShortCurvesWhole) {
  const std::vector<Measurement> kept = Thin(std::vector<double>(1000, 0.5));
  ASSERT_EQ(kept.size(), 1000u);
  EXPECT_EQ(kept.front().step, 1);
  EXPECT_EQ(kept.back().step, 1000);
}

TEST(CurveThinnerTest, KeepsSomeFiveHundredOfEachDoubling) {
  std::vector<double> values(64000, 0.5);
  values[40001] = -7;
  values[50003] = 9;
  values[60007] = std::nan("");
  values.back() = 3;
  const std::vector<Measurement> kept = Thin(values);
  EXPECT_GT(kept.size(), 3900u);
  EXPECT_LT(kept.size(), 4100u);
  const auto has = [&](std::int64_t number) {
    return std::any_of(kept.begin(), kept.end(), [&](const Measurement& one) {
      return one.step == number;
    });
  };
  EXPECT_TRUE(has(40002)) << "the smallest";
  EXPECT_TRUE(has(50004)) << "the largest";
  EXPECT_TRUE(has(60008)) << "what is not finite";
  EXPECT_EQ(kept.back().step, 64000) << "the last";
  EXPECT_EQ(kept.back().value, 3);
  for (std::size_t i = 1; i < kept.size(); ++i) {
    ASSERT_LT(kept[i - 1].step, kept[i].step);
  }
}

// A loss that falls all the time has a new smallest value at each step.
TEST(CurveThinnerTest, BoundsACurveOfRecords) {
  std::vector<double> values;
  for (int i = 0; i < 64000; ++i) values.push_back(-i);
  EXPECT_LT(Thin(values).size(), 4100u);
}

TEST(CurveThinnerTest, CountsEachMetricForItself) {
  CurveThinner thinner;
  std::vector<Measurement> kept;
  for (int i = 1; i <= 1000; ++i) {
    thinner.Take(Value(i, i, "a"), kept);
    thinner.Take(Value(i, i, "b"), kept);
  }
  EXPECT_EQ(kept.size(), 2000u);
}

TEST(CurveThinnerTest, LeavesOutMetricsBeyondTheBound) {
  CurveThinner thinner;
  std::vector<Measurement> kept;
  for (std::size_t i = 0; i < kMostThinned + 5; ++i) {
    thinner.Take(Value(1, 1, "m" + std::to_string(i)), kept);
  }
  EXPECT_EQ(kept.size(), kMostThinned);
}

}  // namespace
}  // namespace vernier
