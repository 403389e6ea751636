#include "suggest/algorithms/traded_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace vernier {
namespace {

using testing::ElementsAre;
using Values = std::vector<std::optional<double>>;

StudyView ViewWith(std::size_t num_metrics,
                   const std::vector<Values>& results) {
  StudyView view;
  view.metrics.resize(num_metrics);
  for (const Values& values : results) {
    Observation observation;
    observation.values = values;
    if (!values.empty()) observation.objective = 0.5;
    view.completed.push_back(observation);
  }
  return view;
}

TEST(TradedMetricsTest, EqualValuesCannotBeTraded) {
  EXPECT_THAT(TradedMetrics(ViewWith(4, {{1, 5, 0.1 + 0.2, 1e308},
                                         {},
                                         {1, 5, 0.3, -1e308},
                                         {2, 5, 0.3, 1e308}})),
              ElementsAre(0, 3));
}

TEST(TradedMetricsTest, WhatHardlyAnyTrialReportsHasNoModel) {
  EXPECT_THAT(TradedMetrics(ViewWith(3, {{1, std::nullopt, 7},
                                         {2, 2, std::nullopt},
                                         {3, 3, 8},
                                         {4, std::nullopt, 7}})),
              ElementsAre(0, 2));
}

TEST(TradedMetricsTest, BeforeAnyResultThereAreNone) {
  EXPECT_THAT(TradedMetrics(ViewWith(2, {})), ElementsAre());
  EXPECT_THAT(TradedMetrics(ViewWith(2, {{1, 2}, {2, 1}})), ElementsAre());
}

}  // namespace
}  // namespace vernier
