#include "suggest/front/least_useful.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::Optional;

Observation Result(std::optional<double> value, std::optional<double> slack) {
  Observation result;
  result.objective = value;
  result.values = {value};
  result.slacks = {slack};
  return result;
}

std::vector<std::optional<double>> LeastAfterEach(
    Goal goal, std::vector<Observation> completed) {
  StudyView view;
  view.goal = goal;
  view.metrics = {{goal}};
  view.num_constraints = 1;
  view.completed = std::move(completed);
  std::vector<std::optional<double>> least;
  for (const Observation& observation : WithLeastUseful(view).completed) {
    least.push_back(observation.least_useful);
  }
  return least;
}

TEST(LeastUsefulTest, ReachesAsFarBelowTheBestAllowedAsTheBestLiesAbove) {
  EXPECT_THAT(LeastAfterEach(Goal::kMinimize, {Result(1, -0.5), Result(7, 0.5),
                                               Result(9, std::nullopt),
                                               Result(0, -2), Result(3, 0)}),
              ElementsAre(std::nullopt, Optional(-13), Optional(-13),
                          Optional(-14), Optional(-6)));
  EXPECT_THAT(LeastAfterEach(Goal::kMaximize, {Result(4, 1), Result(6, -1)}),
              ElementsAre(Optional(4), Optional(2)));
}

TEST(LeastUsefulTest, OnlyFinalValuesCount) {
  Observation infeasible;
  Observation cut_short = Result(9, 1);
  cut_short.is_stopped_early = true;
  EXPECT_THAT(
      LeastAfterEach(Goal::kMaximize,
                     {infeasible, cut_short, Result(2, 1), infeasible}),
      ElementsAre(std::nullopt, std::nullopt, Optional(2), Optional(2)));
}

TEST(LeastUsefulTest, StaysFinite) {
  constexpr double kHuge = 1e308;
  EXPECT_THAT(LeastAfterEach(Goal::kMaximize,
                             {Result(kHuge, -1), Result(-kHuge, 1)})[1],
              Optional(std::numeric_limits<double>::lowest()));
}

std::vector<std::optional<double>> LeastOfSecondMetric(
    const std::vector<double>& values) {
  StudyView view;
  view.metrics = {{Goal::kMinimize}, {Goal::kMaximize}};
  for (const double value : values) {
    Observation result;
    result.objective = 0;
    result.values = {0, value};
    view.completed.push_back(result);
  }
  const StudyView single = MetricWithLeastUseful(view, 1);
  EXPECT_EQ(single.goal, Goal::kMaximize);
  std::vector<std::optional<double>> least;
  for (const Observation& observation : single.completed) {
    EXPECT_TRUE(observation.values.empty());
    least.push_back(observation.least_useful);
  }
  EXPECT_EQ(LeastUsefulOf(single), least.back());
  return least;
}

TEST(LeastUsefulTest, AFrontReachesToTheWorstOfTheFirstTen) {
  EXPECT_THAT(LeastOfSecondMetric({5, 3, 4, 8, 7, 2, 6, 6, 6, 6, -9, 50}),
              ElementsAre(Optional(5), Optional(3), Optional(3), Optional(3),
                          Optional(3), Optional(2), Optional(2), Optional(2),
                          Optional(2), Optional(2), Optional(2), Optional(2)));
}

TEST(LeastUsefulTest, ButNotToADisaster) {
  // The median is 4, and the best is 2 above it.
  EXPECT_THAT(LeastOfSecondMetric({4, 6, 5, 3, -1e9}),
              ElementsAre(Optional(4), Optional(4), Optional(4), Optional(3),
                          Optional(-2)));
}

TEST(LeastUsefulTest, WithoutResultsThereIsNone) {
  EXPECT_EQ(LeastUsefulOf({}), std::nullopt);
}

}  // namespace
}  // namespace vernier
