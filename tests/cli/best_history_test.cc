#include "cli/live/best_history.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace vernier {
namespace {

using Values = std::vector<double>;

TEST(BestHistoryTest, KeepsTheBestAfterEachResult) {
  BestHistory history;
  EXPECT_FALSE(history.has_best());
  EXPECT_EQ(history.Sample(10), Values());
  EXPECT_TRUE(history.Add(3, /*minimize=*/true));
  EXPECT_FALSE(history.Add(3, true));
  EXPECT_TRUE(history.Add(1, true));
  EXPECT_FALSE(history.Add(2, true));
  EXPECT_EQ(history.best(), 1);
  EXPECT_EQ(history.Sample(10), Values({3, 3, 1, 1}));
}

TEST(BestHistoryTest, ALargerValueIsBetterOfAGoalToMaximize) {
  BestHistory history;
  for (const double value : {1.0, 5.0, 2.0}) history.Add(value, false);
  EXPECT_EQ(history.Sample(3), Values({1, 5, 5}));
}

TEST(BestHistoryTest, SamplesEvenlyAndEndsWithThePresentBest) {
  BestHistory history;
  for (int i = 1; i <= 1000; ++i) history.Add(i, false);
  EXPECT_EQ(history.Sample(4), Values({250, 500, 750, 1000}));
  EXPECT_EQ(history.Sample(1), Values({1000}));
  EXPECT_EQ(history.Sample(0), Values());
}

TEST(BestHistoryTest, WhatIsNotFiniteIsNeverTheBest) {
  BestHistory history;
  EXPECT_FALSE(history.Add(std::nan(""), true));
  EXPECT_FALSE(history.Add(-std::numeric_limits<double>::infinity(), true));
  history.Add(2, true);
  EXPECT_FALSE(history.Add(std::nan(""), true));
  EXPECT_EQ(history.Sample(10), Values({2, 2}));
}

TEST(SparklineTest, IsHigherForLargerValues) {
  EXPECT_EQ(Sparkline({0, 1, 2, 3, 4, 5, 6}, Glyphs::kAscii), "_.-=+*#");
  EXPECT_EQ(Sparkline({0, 1, 2, 3, 4, 5, 6, 7}, Glyphs::kBlocks),
            "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588");
  EXPECT_EQ(Sparkline({7, 0}, Glyphs::kBlocks), "\u2588\u2581");
}

TEST(SparklineTest, OfEqualValuesIsFlat) {
  EXPECT_EQ(Sparkline({}, Glyphs::kAscii), "");
  EXPECT_EQ(Sparkline({5}, Glyphs::kAscii), "=");
  EXPECT_EQ(Sparkline({5, 5, 5}, Glyphs::kAscii), "===");
}

TEST(SparklineTest, ShowsDecadesOfPositiveValues) {
  EXPECT_EQ(Sparkline({1000, 100, 10, 1, 0.1, 0.01, 0.001}, Glyphs::kAscii),
            "#*+=-._");
  // A span of a hundred is still drawn as it is, and so are signs.
  EXPECT_EQ(Sparkline({100, 10, 1}, Glyphs::kAscii), "#__");
  EXPECT_EQ(Sparkline({1000, 10, 0}, Glyphs::kAscii), "#__");
  EXPECT_EQ(Sparkline({1000, 10, -1}, Glyphs::kAscii), "#__");
}

TEST(SparklineTest, TakesTheLargestNumbers) {
  const double most = std::numeric_limits<double>::max();
  EXPECT_EQ(Sparkline({-most, 0, most}, Glyphs::kAscii), "_=#");
  const double least = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(Sparkline({0, least}, Glyphs::kAscii).size(), 2u);
}

TEST(DisplayAreaTest, BlocksAreForLocalesThatHaveThem) {
  EXPECT_EQ(GlyphsOf(nullptr, nullptr, "en_US.UTF-8"), Glyphs::kBlocks);
  EXPECT_EQ(GlyphsOf(nullptr, nullptr, "C.utf8"), Glyphs::kBlocks);
  EXPECT_EQ(GlyphsOf(nullptr, nullptr, nullptr), Glyphs::kAscii);
  EXPECT_EQ(GlyphsOf("", "", "de_DE@euro"), Glyphs::kAscii);
  // The first that is set counts.
  EXPECT_EQ(GlyphsOf("C", "en_US.UTF-8", "en_US.UTF-8"), Glyphs::kAscii);
  EXPECT_EQ(GlyphsOf("", "en_US.UTF-8", "C"), Glyphs::kBlocks);
}

}  // namespace
}  // namespace vernier
