#include "suggest/curves/curve_levels.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace vernier {
namespace {

TEST(CurveLevelsTest, LevelsGrowByAThirdUpToTheLastStep) {
  EXPECT_EQ(MakeLevels(1, 40), (std::vector<std::int64_t>{1, 2, 3, 4, 5, 7, 9,
                                                          12, 16, 22, 30, 40}));
  EXPECT_EQ(MakeLevels(10, 20), (std::vector<std::int64_t>{10, 11, 15, 20}));
  EXPECT_EQ(MakeLevels(5, 5), std::vector<std::int64_t>{5});
  EXPECT_TRUE(MakeLevels(0, 0).empty());
}

TEST(CurveLevelsTest, LevelsIncreaseHoweverManyStepsThereAre) {
  for (const std::int64_t last :
       {std::int64_t{1}, std::int64_t{2}, std::int64_t{1000000},
        std::int64_t{1} << 53}) {
    const std::vector<std::int64_t> levels = MakeLevels(0, last);
    ASSERT_FALSE(levels.empty());
    EXPECT_LE(levels.size(), std::size_t{kMaxLevels});
    EXPECT_EQ(levels.back(), last);
    EXPECT_GE(levels.front(), 1);
    for (std::size_t i = 1; i < levels.size(); ++i) {
      EXPECT_LT(levels[i - 1], levels[i]);
    }
  }
}

TEST(CurveLevelsTest, AValueIsTheMeanSinceTheLevelBefore) {
  const LevelValues values =
      ValuesAtLevels({{1, 8}, {2, 6}, {3, 4}, {4, 3}, {5, 9}}, {2, 4, 8});
  EXPECT_EQ(values.first, 0u);
  EXPECT_EQ(values.values, (std::vector<double>{7, 3.5}));
}

TEST(CurveLevelsTest, BetweenReportsLiesALine) {
  const LevelValues values =
      ValuesAtLevels({{10, 1}, {20, 2}}, {5, 12, 15, 20});
  EXPECT_EQ(values.first, 1u);  // Nothing is known at 5.
  ASSERT_EQ(values.values.size(), 3u);
  EXPECT_DOUBLE_EQ(values.at(2), 1.5);
  EXPECT_EQ(values.at(3), 2);
}

TEST(CurveLevelsTest, ACurveThatReachedNoLevelHasNone) {
  EXPECT_TRUE(ValuesAtLevels({{1, 8}}, {2, 4}).values.empty());
  EXPECT_TRUE(ValuesAtLevels({}, {2, 4}).values.empty());
}

}  // namespace
}  // namespace vernier
