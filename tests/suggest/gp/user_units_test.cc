#include "suggest/gp/user_units.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace vernier {
namespace {

WarpedObjectives WarpOf(const std::vector<double>& objectives) {
  return WarpObjectives({objectives.begin(), objectives.end()});
}

// The target is far above that of any value.
Prediction Extreme(const std::vector<double>& values, Goal goal) {
  std::vector<double> merits;
  for (const double value : values) {
    merits.push_back(goal == Goal::kMaximize ? value : -value);
  }
  return InUserUnits(WarpOf(merits), goal, 5, 1);
}

TEST(UserUnitsTest, NoPredictionLeavesWhatTheValuesSupport) {
  struct Case {
    const char* name;
    Goal goal;
    std::vector<double> values;
    double furthest;
  };
  constexpr double kMax = std::numeric_limits<double>::max();
  const Case cases[] = {
      {"a loss over many decades",
       Goal::kMinimize,
       {5e21, 3e9, 70, 5, 8, 4e3, 2e15},
       0},
      {"a loss near 0", Goal::kMinimize, {0.5, 0.02, 3, 7}, 0},
      {"a loss far from 0", Goal::kMinimize, {100, 101, 102, 110}, 96},
      {"a cost of either sign", Goal::kMinimize, {1, -1, 2, 3}, -7},
      {"an accuracy", Goal::kMaximize, {0.5, 0.6, 0.8, 0.9}, 1.5},
      {"a negative likelihood", Goal::kMaximize, {-4, -1, -9, -6}, 0},
      {"the largest numbers", Goal::kMaximize, {-1e308, 0, 1.7e308}, kMax},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.name);
    const Prediction prediction = Extreme(each.values, each.goal);
    EXPECT_NEAR(prediction.mean, each.furthest, 1e-9 * std::abs(each.furthest));
    EXPECT_FALSE(prediction.mean == 0 && std::signbit(prediction.mean) &&
                 each.goal == Goal::kMinimize);
    EXPECT_LE(prediction.low, prediction.mean);
    EXPECT_LE(prediction.mean, prediction.high);
  }
}

TEST(UserUnitsTest, AmongTheValuesAPredictionIsThatOfTheWarp) {
  const WarpedObjectives warp = WarpOf({1, 2, 4, 8, 9});
  const Prediction prediction =
      InUserUnits(warp, Goal::kMaximize, warp.Warp(6), 1e-12);
  EXPECT_NEAR(prediction.mean, 6, 1e-9);
  const Prediction better =
      InUserUnits(warp, Goal::kMaximize, warp.Warp(9.5), 1e-12);
  EXPECT_NEAR(better.mean, 9.5, 1e-9);
}

}  // namespace
}  // namespace vernier
