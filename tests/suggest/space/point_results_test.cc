#include "suggest/space/point_results.h"

#include <gtest/gtest.h>

#include <cmath>

#include "suggest/space/student_quantile.h"

namespace vernier {
namespace {

Parameters At(double x) { return {{"x", x}}; }

// Three results at 1, with a variance of 1, and one at 2.
PointTable Table() {
  PointTable table;
  table.Add(At(1), 1, 9);
  table.Add(At(1), 2, 10);
  table.Add(At(2), 3, 10.25);
  table.Add(At(1), 4, 11);
  return table;
}

TEST(PointTableTest, TrialsWithEqualParametersAreOnePoint) {
  const PointTable table = Table();
  ASSERT_EQ(table.points().size(), 2u);
  EXPECT_EQ(table.points()[0].trials, (std::vector<std::int64_t>{1, 2, 4}));
  EXPECT_DOUBLE_EQ(table.points()[0].mean, 10);
  EXPECT_EQ(table.Find(At(2)), 1u);
  EXPECT_EQ(table.Find(At(3)), std::nullopt);
}

TEST(PointTableTest, TheNoiseIsThatOfAllPointsTogether) {
  PointTable table = Table();
  EXPECT_EQ(table.degrees(), 2);
  EXPECT_DOUBLE_EQ(table.noise_variance(), 1);
  table.Add(At(2), 5, 12.25);
  EXPECT_EQ(table.degrees(), 3);
  EXPECT_DOUBLE_EQ(table.noise_variance(), 4.0 / 3);
  EXPECT_DOUBLE_EQ(*table.StandardError(table.points()[1]), std::sqrt(2.0 / 3));
}

TEST(PointTableTest, ALuckyResultIsNotBetterThanAGoodMean) {
  const PointTable table = Table();
  EXPECT_EQ(table.Best(), 0u) << "10 - 0.58 against 10.25 - 1";
}

TEST(PointTableTest, WithoutRepeatsTheLargestValueIsBest) {
  PointTable table;
  table.Add(At(1), 1, 1);
  table.Add(At(2), 2, 2);
  EXPECT_EQ(table.Best(), 1u);
  EXPECT_EQ(table.StandardError(table.points()[0]), std::nullopt);
  EXPECT_FALSE(table.IsWorse(table.points()[0], table.points()[1]))
      << "nothing is known of the noise";
}

TEST(PointTableTest, APointThatFailedOnceIsRuledOut) {
  PointTable table = Table();
  table.Add(At(1), 5, std::nullopt);
  EXPECT_TRUE(table.points()[0].is_ruled_out);
  EXPECT_EQ(table.Best(), 1u);
  table.Add(At(2), 6, std::nullopt);
  EXPECT_EQ(table.Best(), std::nullopt);
}

// With two degrees of freedom the one-sided bound of 95 % is 2.92, and the
// error of the difference sqrt(1 + 1/3).
TEST(PointTableTest, FewDegreesOfFreedomNeedALargeDifference) {
  const double bound = 2.92 * std::sqrt(4.0 / 3);
  for (const auto& [value, is_worse] : {std::pair(10 - bound + 0.02, false),
                                        std::pair(10 - bound - 0.02, true)}) {
    PointTable table = Table();
    table.Add(At(3), 7, value);
    EXPECT_EQ(table.IsWorse(table.points()[2], table.points()[0]), is_worse)
        << value;
  }
}

TEST(PointTableTest, WithoutNoiseAnyDifferenceCounts) {
  PointTable table;
  table.Add(At(1), 1, 5);
  table.Add(At(1), 2, 5);
  table.Add(At(2), 3, 4.999);
  EXPECT_EQ(table.noise_variance(), 0);
  EXPECT_TRUE(table.IsWorse(table.points()[1], table.points()[0]));
  EXPECT_FALSE(table.IsWorse(table.points()[0], table.points()[0]));
}

TEST(PointTableTest, HugeValuesDoNotCancel) {
  PointTable table;
  for (int i = 0; i < 4; ++i) table.Add(At(1), i + 1, 1e9 + i);
  EXPECT_NEAR(table.noise_variance(), 5.0 / 3, 1e-6);
}

TEST(StudentQuantileTest, AgreesWithTables) {
  EXPECT_NEAR(StudentQuantile(0.95, 1), 6.314, 0.001);
  EXPECT_NEAR(StudentQuantile(0.95, 2), 2.920, 0.001);
  EXPECT_NEAR(StudentQuantile(0.95, 3), 2.353, 0.01);
  EXPECT_NEAR(StudentQuantile(0.975, 2), 4.303, 0.001);
  EXPECT_NEAR(StudentQuantile(0.975, 3), 3.182, 0.03);
  EXPECT_NEAR(StudentQuantile(0.975, 5), 2.571, 0.005);
  EXPECT_NEAR(StudentQuantile(0.975, 30), 2.042, 0.001);
  EXPECT_NEAR(StudentQuantile(0.975, 100000), 1.960, 0.001);
}

TEST(NumPointsTest, CountsPointsOnlyWhereTheyAreRepeated) {
  StudyView view;
  view.completed = {{At(1), 1.0}, {At(2), 1.0}, {At(1), 2.0}};
  EXPECT_EQ(NumPoints(view), 3u);
  view.repeats = {RepeatPolicy::kFixed, 3};
  EXPECT_EQ(NumPoints(view), 2u);
}

}  // namespace
}  // namespace vernier
