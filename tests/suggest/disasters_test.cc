#include "suggest/algorithms/disasters.h"

#include <gtest/gtest.h>

#include <vector>

namespace vernier {
namespace {

// A study that minimizes two metrics.
StudyView TwoMetricView(const std::vector<std::vector<double>>& results) {
  StudyView view;
  view.metrics.resize(2);
  for (MetricAim& aim : view.metrics) aim.goal = Goal::kMinimize;
  for (const std::vector<double>& values : results) {
    Observation observation;
    observation.objective = values[0];
    observation.values = {values[0], values[1]};
    view.completed.push_back(observation);
  }
  return view;
}

// Returns which of the results are failures.
std::vector<bool> FailuresAmong(const StudyView& view) {
  std::vector<bool> failures;
  const StudyView known = DisastersAsFailures(view).value_or(view);
  for (const Observation& result : known.completed) {
    failures.push_back(!result.objective.has_value());
  }
  return failures;
}

TEST(DisastersTest, WhatIsFarBelowTheMedianFailed) {
  EXPECT_EQ(FailuresAmong(TwoMetricView(
                {{1, 3}, {2, 2}, {3, 1}, {1e12, 2.5}, {3, 1e12}})),
            std::vector<bool>({false, false, false, true, true}));
}

TEST(DisastersTest, HugeValuesDoNotOverflow) {
  EXPECT_EQ(FailuresAmong(TwoMetricView({{-1e308, 1}, {0, 2}, {1e308, 3}})),
            std::vector<bool>({false, false, false}));
  EXPECT_EQ(FailuresAmong(TwoMetricView({{0, 1}, {1, 2}, {1.7e308, 3}})),
            std::vector<bool>({false, false, true}));
}

TEST(DisastersTest, TheBestOfAnotherMetricIsNone) {
  EXPECT_EQ(FailuresAmong(TwoMetricView({{1, 3}, {2, 2}, {3, 1}, {1e12, 0.5}})),
            std::vector<bool>({false, false, false, false}));
}

TEST(DisastersTest, OnlyWhatMeetsTheConstraintsIsBetter) {
  StudyView view = TwoMetricView({{1, 1}, {2, 2}, {3, 1.5}, {1e12, 4}});
  view.num_constraints = 1;
  for (Observation& result : view.completed) result.slacks = {-1.0};
  view.completed[3].slacks = {1.0};
  EXPECT_EQ(FailuresAmong(view),
            std::vector<bool>({false, false, false, false}));
  view.completed[0].slacks = {0.5};
  EXPECT_EQ(FailuresAmong(view),
            std::vector<bool>({false, false, false, true}));
}

}  // namespace
}  // namespace vernier
