#include "suggest/curves/curve_stalls.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace vernier {
namespace {

constexpr std::size_t kStallLevels = 6;

// On the model's scale, where the best value is 0.
constexpr double kChance = -3;

CurveLesson StallLesson(const std::vector<double>& values,
                        std::optional<double> final = std::nullopt) {
  CurveLesson lesson;
  lesson.levels = {0, values};
  lesson.final = final;
  return lesson;
}

// Stays at chance, and is stopped after some levels or comes to its end.
CurveLesson NeverLearns(std::size_t levels) {
  return StallLesson(
      std::vector<double>(levels, kChance),
      levels == kStallLevels ? std::optional(kChance) : std::nullopt);
}

CurveLesson AlwaysLearns() {
  return StallLesson({-3, -2, -1.5, -1, -0.5, -0.1}, 0);
}

// Nothing happens before the level `awake`.
CurveLesson LearnsFrom(std::size_t awake) {
  std::vector<double> values(kStallLevels, kChance);
  for (std::size_t level = awake; level < kStallLevels; ++level) {
    values[level] = -0.5;
  }
  return StallLesson(values, -0.4);
}

double Stays(const std::vector<CurveLesson>& lessons,
             const std::vector<double>& values, double noise = 0) {
  return CurveStalls(lessons, kStallLevels, noise)
      .ProbabilityToStay({.first = 0, .values = values});
}

TEST(CurveStallsTest, WhatHasNotBegunToLearnIsThoughtToStay) {
  const std::vector<CurveLesson> lessons = {AlwaysLearns(), AlwaysLearns()};
  EXPECT_GT(Stays(lessons, {-3, -3}), 0.9);
  EXPECT_GT(Stays(lessons, {-3, -3, -3, -3}), Stays(lessons, {-3, -3}));
  EXPECT_GT(Stays(lessons, {-2.5, -2.8}), 0.9) << "forgot what it had learnt";
  EXPECT_EQ(Stays(lessons, {-3, -2.5}), 0);
  EXPECT_EQ(Stays(lessons, {-3}), 0) << "one value tells nothing";
}

TEST(CurveStallsTest, ThoseThatLeaveMakeItLessLikely) {
  std::vector<CurveLesson> lessons = {AlwaysLearns(), NeverLearns(2),
                                      NeverLearns(3)};
  const double before = Stays(lessons, {-3, -3, -3});
  lessons.push_back(LearnsFrom(4));
  const double after_one = Stays(lessons, {-3, -3, -3});
  EXPECT_LT(after_one, before - 0.2);
  for (int i = 0; i < 8; ++i) lessons.push_back(LearnsFrom(4));
  EXPECT_LT(Stays(lessons, {-3, -3, -3}), 0.2);
  EXPECT_GT(Stays(lessons, {-3, -3, -3, -3, -3}), 0.9) << "nobody left so late";
}

TEST(CurveStallsTest, ThoseThatStayMakeItMoreLikely) {
  std::vector<CurveLesson> lessons = {LearnsFrom(3)};
  const double before = Stays(lessons, {-3, -3, -3});
  for (int i = 0; i < 5; ++i) lessons.push_back(NeverLearns(kStallLevels));
  EXPECT_GT(Stays(lessons, {-3, -3, -3}), before + 0.1);
  // What was stopped before says nothing about later.
  std::vector<CurveLesson> stopped = {LearnsFrom(3)};
  for (int i = 0; i < 5; ++i) stopped.push_back(NeverLearns(3));
  EXPECT_DOUBLE_EQ(Stays(stopped, {-3, -3, -3}), before);
}

// The last level leads to the end.
TEST(CurveStallsTest, CountsWhatHappensAfterTheLastLevel) {
  std::vector<CurveLesson> lessons = {AlwaysLearns()};
  const std::vector<double> flat(kStallLevels, kChance);
  const double before = Stays(lessons, flat);
  lessons.push_back(StallLesson(flat, -0.2));
  EXPECT_LT(Stays(lessons, flat), before - 0.2);
}

// A training that had learnt before its first report is flat at a good value.
TEST(CurveStallsTest, AGoodBeginningIsNoStall) {
  const std::vector<CurveLesson> lessons = {AlwaysLearns(), AlwaysLearns(),
                                            AlwaysLearns()};
  EXPECT_EQ(Stays(lessons, {-0.5, -0.5, -0.5}), 0);
}

TEST(CurveStallsTest, NoiseIsNoProgress) {
  const std::vector<CurveLesson> lessons = {AlwaysLearns(), AlwaysLearns()};
  // Five hundredths of the way, by a report's noise.
  const std::vector<double> curve = {-3, -2.95};
  EXPECT_EQ(Stays(lessons, curve), 0);
  EXPECT_GT(Stays(lessons, curve, 0.8), 0.9);
}

TEST(CurveStallsTest, WithoutLessonsNothingIsStalled) {
  EXPECT_EQ(CurveStalls().ProbabilityToStay({.first = 0, .values = {-3, -3}}),
            0);
}

}  // namespace
}  // namespace vernier
