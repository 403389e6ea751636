#include "suggest/gp/output_warp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "suggest/gp/normal_distribution.h"

namespace vernier {
namespace {

using Objectives = std::vector<std::optional<double>>;

TEST(OutputWarpTest, FollowsAHandComputedCase) {
  // Median 2, good half {2, 3, 4}: scale sqrt((0 + 1 + 4) / 3). Below: 0 and 1
  // are the ranks 1 and 2 of 2.5.
  const double scale = std::sqrt(5.0 / 3);
  const double a = 2 + scale * NormalQuantile(0.5 * 0.5 / 2.5);
  const double b = 2 + scale * NormalQuantile(0.5 * 1.5 / 2.5);
  const std::vector<double> ranked = {3, b, 4, a, 2};
  std::vector<double> expected;
  for (const double y : ranked) {
    expected.push_back(0.5 -
                       std::log(1 + 0.5 * (4 - y) / (4 - a)) / std::log(1.5));
  }
  const double mean =
      std::accumulate(expected.begin(), expected.end(), 0.0) / 5;
  const WarpedObjectives warped = WarpObjectives({3, 1, 4, 0, 2});
  for (int i = 0; i < 5; ++i) {
    EXPECT_NEAR(warped.targets[i], expected[static_cast<std::size_t>(i)] - mean,
                1e-12);
  }
  EXPECT_FALSE(warped.is_constant);
}

// Ten values 0 to 9, then twenty about 9: the median of all lies among these,
// and 8 is as far from 9 as 0 is; in the exploration view the half-way value is
// the median.
TEST(OutputWarpTest, TheFirstResultsShowARefiningSearchWhole) {
  std::vector<std::optional<double>> values;
  for (int i = 0; i < 10; ++i) values.push_back(i);
  for (int i = 0; i < 20; ++i) values.push_back(9 - 1e-6 * i);
  const Eigen::VectorXd close = WarpObjectives(values).targets;
  const Eigen::VectorXd whole =
      WarpObjectives(values, WarpReference::kFirst).targets;
  EXPECT_GT(close[9] - close[29], 0.1) << "1e-6 is what differs";
  EXPECT_LT(whole[9] - whole[29], 1e-4);
  EXPECT_NEAR((whole[9] - whole[7]) / (whole[9] - whole[5]), 0.5, 0.1);
  for (Eigen::Index i = 1; i < 10; ++i) EXPECT_GT(whole[i], whole[i - 1]);
}

// The best that meets constraints may lie below the median: differences about
// it are not those of ranks.
TEST(OutputWarpTest, WhatIsOfUseIsNotRanked) {
  const Objectives values = {-50, -20, -8, -7, -1, 0, 1, 2, 3, 4};
  const auto ratio = [](const Eigen::VectorXd& targets) {
    return (targets[3] - targets[2]) / (targets[4] - targets[3]);
  };
  const Eigen::VectorXd useful =
      WarpObjectives(values, WarpReference::kAll, -9).targets;
  EXPECT_NEAR(ratio(useful), 1.0 / 6, 0.03);
  EXPECT_GT(ratio(WarpObjectives(values).targets), 0.5);
  // What lies above the median leaves it where it is.
  EXPECT_EQ(WarpObjectives(values, WarpReference::kAll, 2).targets,
            WarpObjectives(values).targets);
  // Beyond, ranks still keep a disaster from flattening the rest.
  EXPECT_LT(useful[2] - useful[0], useful[9] - useful[2]);
}

// The first ten may be the better ones, as when good points were given by hand.
TEST(OutputWarpTest, TheFirstResultsNeverNarrowTheView) {
  std::vector<std::optional<double>> values;
  for (int i = 0; i < 30; ++i) values.push_back(-i);
  EXPECT_EQ(WarpObjectives(values, WarpReference::kFirst).targets,
            WarpObjectives(values).targets);
}

TEST(OutputWarpTest, KeepsOrderAndIsAffineInvariant) {
  const Objectives plain = {5, -2, 8, 0.5, 3, 3, 11, -40};
  Objectives stretched;
  for (const auto& y : plain) stretched.push_back(*y * 1e-7 + 3e-5);
  const WarpedObjectives a = WarpObjectives(plain);
  const WarpedObjectives b = WarpObjectives(stretched);
  EXPECT_LT((a.targets - b.targets).cwiseAbs().maxCoeff(), 1e-8);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    for (std::size_t j = 0; j < plain.size(); ++j) {
      if (*plain[i] < *plain[j]) {
        EXPECT_LT(a.targets[static_cast<int>(i)],
                  a.targets[static_cast<int>(j)]);
      }
    }
  }
}

TEST(OutputWarpTest, ADisasterIsJustTheWorst) {
  Objectives mild;
  for (int i = 0; i < 50; ++i) mild.push_back(std::sin(i));
  Objectives wild = mild;
  mild[7] = -1e6;
  wild[7] = -1e30;
  EXPECT_LT((WarpObjectives(mild).targets - WarpObjectives(wild).targets)
                .cwiseAbs()
                .maxCoeff(),
            1e-9);
}

// Most results tie, so that no interquartile range tells what is absurd.
TEST(OutputWarpTest, ADisasterAmongTiesIsJustTheWorst) {
  const auto targets_with = [](double disaster) {
    Objectives objectives(16, 0.0);
    objectives.insert(objectives.end(), {0.2, 0.45, 0.476, disaster});
    return WarpObjectives(objectives).targets;
  };
  const Eigen::VectorXd mild = targets_with(-1e6);
  for (const double disaster : {-1e160, -1e200, -1.7e308}) {
    EXPECT_LT((mild - targets_with(disaster)).cwiseAbs().maxCoeff(), 1e-9)
        << disaster;
  }
}

TEST(OutputWarpTest, SurvivesExtremeValues) {
  const std::vector<Objectives> cases = {
      {1e300, -1e300},        {1e300, 2e300, 1.7e308, 3e300},
      {1.7e308, -1.7e308, 0}, {1e300, 1, 2, 3, 4},
      {5e-324, 0, 1e-323},    {1, 1 + 1e-16, 1, 1, 2},
      {1, 1, 1, 1, 1, 1, 2},  {0, 1, 1, 1, 1, 1, 1},
      {1, std::nullopt},      {1e300, std::nullopt, -1e300}};
  for (const Objectives& objectives : cases) {
    const WarpedObjectives warped = WarpObjectives(objectives);
    EXPECT_TRUE(warped.targets.allFinite());
    EXPECT_FALSE(warped.is_constant);
    EXPECT_NEAR(warped.targets.mean(), 0, 1e-12);
    EXPECT_LT(warped.targets.cwiseAbs().maxCoeff(), 4);
    Eigen::Index best = 0;
    warped.targets.maxCoeff(&best);
    for (const auto& y : objectives) {
      if (y.has_value()) {
        EXPECT_GE(
            objectives[static_cast<std::size_t>(best)].value_or(-INFINITY),
            *y * (1 - 1e-15));
      }
    }
  }
}

TEST(OutputWarpTest, PutsInfeasibleBelowTheWorst) {
  const WarpedObjectives warped =
      WarpObjectives({3, std::nullopt, 1, 2, std::nullopt});
  EXPECT_EQ(warped.targets[1], warped.targets[4]);
  EXPECT_NEAR(warped.targets[2] - warped.targets[1], 1.5, 1e-12);
}

TEST(OutputWarpTest, EqualOrMissingValuesAreConstant) {
  for (const Objectives& objectives :
       {Objectives{}, Objectives{4.5}, Objectives{2, 2, 2},
        Objectives{std::nullopt, std::nullopt}, Objectives{1e300, 1e300}}) {
    const WarpedObjectives warped = WarpObjectives(objectives);
    EXPECT_TRUE(warped.is_constant);
    EXPECT_EQ(warped.targets.size(),
              static_cast<Eigen::Index>(objectives.size()));
    EXPECT_TRUE((warped.targets.array() == 0).all());
  }
}

TEST(NormalDistributionTest, QuantileInvertsCumulative) {
  for (const double p : {1e-300, 1e-12, 1e-3, 0.02425, 0.3, 0.5, 0.9, 0.999}) {
    EXPECT_NEAR(NormalCumulative(NormalQuantile(p)) / p, 1, 1e-11) << p;
  }
  EXPECT_NEAR(NormalQuantile(0.975), 1.959963984540054, 1e-14);
}

TEST(NormalDistributionTest, InverseMillsRatioIsExactFarOut) {
  EXPECT_NEAR(InverseMillsRatio(0), std::sqrt(2 / std::numbers::pi), 1e-15);
  for (const double x : {-0.999999, -1.000001, -4.0, -9.0, -20.0}) {
    EXPECT_NEAR(InverseMillsRatio(x) * NormalCumulative(x) / NormalDensity(x),
                1, 1e-12)
        << x;
  }
  // Its asymptotic series, where density and cumulative are 0.
  for (const double t : {40.0, 1e3, 1e9}) {
    EXPECT_NEAR(InverseMillsRatio(-t) / (t + 1 / t - 2 / (t * t * t)), 1, 1e-7)
        << t;
  }
}

TEST(NormalDistributionTest, ScaledErfcIsContinuousAndDecays) {
  EXPECT_NEAR(ScaledErfc(5 - 1e-12) / ScaledErfc(5), 1, 1e-11);
  EXPECT_NEAR(ScaledErfc(1e8) * 1e8 * std::sqrt(std::acos(-1.0)), 1, 1e-15);
  EXPECT_EQ(ScaledErfc(0), 1);
}

TEST(OutputWarpTest, GoesBackToTheObjectives) {
  const Objectives objectives = {5, -2, std::nullopt, 8, 0.5, 3, 3, -40};
  const WarpedObjectives warped = WarpObjectives(objectives);
  ASSERT_EQ(warped.knots.size(), 6u);
  for (std::size_t i = 0; i < objectives.size(); ++i) {
    if (!objectives[i].has_value()) continue;
    const double target = warped.targets[static_cast<Eigen::Index>(i)];
    EXPECT_NEAR(warped.Unwarp(target), *objectives[i], 1e-9);
    EXPECT_NEAR(warped.Warp(*objectives[i]), target, 1e-9);
    EXPECT_GT(warped.Slope(*objectives[i]), 0);
  }
  // Between two knots, beyond the best and below the worst.
  const double middle = (warped.Warp(5) + warped.Warp(8)) / 2;
  EXPECT_NEAR(warped.Unwarp(middle), 6.5, 1e-9);
  EXPECT_GT(warped.Unwarp(warped.Warp(8) + 0.1), 8);
  EXPECT_EQ(warped.Unwarp(-100), -40);
}

TEST(OutputWarpTest, GoesBackToHugeObjectives) {
  const WarpedObjectives warped = WarpObjectives({1.7e308, -1.7e308, 0, 1e308});
  for (const double target : {-3.0, -0.2, 0.0, 0.3, 9.0}) {
    EXPECT_TRUE(std::isfinite(warped.Unwarp(target))) << target;
  }
  EXPECT_TRUE(std::isfinite(warped.Warp(-1e308)));
  EXPECT_GE(warped.Slope(0), 0);
}

TEST(OutputWarpTest, OneValueHasNoSlope) {
  const WarpedObjectives warped = WarpObjectives({2.5, std::nullopt});
  EXPECT_EQ(warped.Unwarp(0.3), 2.5);
  EXPECT_EQ(warped.Slope(2.5), 0);
}

TEST(OutputWarpTest, SlacksKeepTheirSides) {
  const WarpedObjectives warped = WarpObjectives(
      {-1000.0, -0.5, std::nullopt, 0.25, 2.0, 1e300}, WarpReference::kSlack);
  EXPECT_LT(warped.targets[0], warped.targets[1]);
  EXPECT_LT(warped.targets[1], warped.zero);
  EXPECT_GT(warped.targets[3], warped.zero);
  EXPECT_LT(warped.targets[3], warped.targets[4]);
  EXPECT_LT(warped.targets[4], warped.targets[5]);
  EXPECT_TRUE(warped.targets.allFinite());
  EXPECT_FALSE(warped.is_constant);
}

TEST(OutputWarpTest, SlacksKeepTheirProportionsButForTheFarthest) {
  Objectives slacks = {-2.0, -1.0, 0.0, 0.5, 1.0, 4.0, -1e9};
  const WarpedObjectives warped = WarpObjectives(slacks, WarpReference::kSlack);
  const Eigen::ArrayXd sizes = warped.targets.array() - warped.zero;
  const double unit = sizes[4];
  for (Eigen::Index i = 0; i < 6; ++i) {
    EXPECT_NEAR(sizes[i], *slacks[static_cast<std::size_t>(i)] * unit, 1e-12);
  }
  // The median of the sizes that are not 0 is 1.5.
  EXPECT_NEAR(sizes[6], -1.5 * (10 + std::log1p(1e9 / 1.5 - 10)) * unit, 1e-9);
  EXPECT_NEAR(sizes.square().mean(), 1, 1e-12);
}

// Of a band of -0.5 to 0.5, in distances from its middle.
TEST(OutputWarpTest, ABandKeepsItsProportionsOnBothSides) {
  const Objectives values = {-2.5, -0.5, 0.0, 0.25, 0.5, 1.5, 2.5, 1e9};
  const WarpedObjectives warped =
      WarpObjectives(values, WarpReference::kSlack, std::nullopt, 0.5);
  const double unit = warped.upper - warped.zero;
  EXPECT_GT(unit, 0);
  EXPECT_NEAR(warped.targets[1], warped.zero, 1e-12);
  EXPECT_NEAR(warped.targets[4], warped.upper, 1e-12);
  for (Eigen::Index i = 0; i < 7; ++i) {
    EXPECT_NEAR(warped.targets[i] - warped.targets[2],
                *values[static_cast<std::size_t>(i)] * unit, 1e-12);
  }
  EXPECT_LT(warped.targets[7] - warped.upper, 100 * unit);
  EXPECT_GT(warped.targets[7], warped.targets[6]);
}

TEST(OutputWarpTest, FarFromTheOtherBoundABandIsAsOneBound) {
  const Objectives slacks = {-2.0, -1.0, 0.5, 1.5, 3.0};
  const WarpedObjectives single = WarpObjectives(slacks, WarpReference::kSlack);
  Objectives distances;
  constexpr double kHalf = 1e4;
  for (const auto& slack : slacks) distances.push_back(*slack - kHalf);
  const WarpedObjectives band =
      WarpObjectives(distances, WarpReference::kSlack, std::nullopt, kHalf);
  for (Eigen::Index i = 0; i < 5; ++i) {
    EXPECT_NEAR(band.targets[i], single.targets[i], 1e-9);
  }
  EXPECT_NEAR(band.zero, single.zero, 1e-9);
  EXPECT_TRUE(std::isinf(single.upper));
}

TEST(OutputWarpTest, ABandOfNoWidthHasOneTarget) {
  const WarpedObjectives warped = WarpObjectives(
      {-1.0, 0.0, 3.0}, WarpReference::kSlack, std::nullopt, 0.0);
  EXPECT_EQ(warped.zero, warped.upper);
  EXPECT_EQ(warped.targets[1], warped.zero);
  EXPECT_LT(warped.targets[0], warped.zero);
}

// The size of a typical slack is that of the first ones: where a search refines
// at the border, its slacks become small, and the others keep their places.
TEST(OutputWarpTest, ARefiningSearchDoesNotShortenItsFirstSlacks) {
  Objectives slacks;
  for (int i = 1; i <= 10; ++i) slacks.push_back(i);
  for (int i = 0; i < 30; ++i) slacks.push_back(1e-4 * i);
  const WarpedObjectives warped = WarpObjectives(slacks, WarpReference::kSlack);
  EXPECT_NEAR(
      (warped.targets[9] - warped.zero) / (warped.targets[0] - warped.zero), 10,
      1e-9);
}

TEST(OutputWarpTest, WhatIsOfUseKeepsItsProportions) {
  const Objectives values = {-1e5, -50.0, 3.0, std::nullopt, 1.0, 0.0, 4.0};
  const Eigen::VectorXd targets =
      WarpObjectives(values, WarpReference::kUseful, 0.5).targets;
  const double unit = (targets[6] - targets[4]) / 3;
  EXPECT_NEAR(targets[2] - targets[4], 2 * unit, 1e-9);
  // Below, a logarithm, in units of the better values' distance from 0.5.
  const double root = std::sqrt((2.5 * 2.5 + 0.5 * 0.5 + 3.5 * 3.5) / 3);
  EXPECT_NEAR(targets[4] - targets[1],
              (0.5 + root * std::log1p(50.5 / root)) * unit, 1e-6);
  EXPECT_NEAR(targets[4] - targets[0],
              (0.5 + root * std::log1p(100000.5 / root)) * unit, 1e-6);
  EXPECT_LT(targets[3], targets[0]) << "an infeasible one is worse than all";
  double square = 0;
  const double mean =
      (targets.sum() - targets[3]) / static_cast<double>(values.size() - 1);
  for (const Eigen::Index i : {0, 1, 2, 4, 5, 6}) {
    square += (targets[i] - mean) * (targets[i] - mean);
  }
  EXPECT_NEAR(square / 6, 1, 1e-12);
}

TEST(OutputWarpTest, WithoutALeastUsefulValueTheMedianIsIt) {
  const Eigen::VectorXd targets =
      WarpObjectives({0.0, 1.0, 2.0, 3.0, 4.0}, WarpReference::kUseful).targets;
  EXPECT_NEAR(targets[4] - targets[3], targets[3] - targets[2], 1e-12);
  EXPECT_LT(targets[1] - targets[0], targets[2] - targets[1]);
}

TEST(OutputWarpTest, SlacksOfOneSideAreNotAtZero) {
  for (const double sign : {1.0, -1.0}) {
    const WarpedObjectives warped = WarpObjectives(
        {sign * 2.0, sign * 3.0, sign * 4.0}, WarpReference::kSlack);
    for (const double target : warped.targets) {
      EXPECT_GT(sign * (target - warped.zero), 0.1);
    }
    const WarpedObjectives same =
        WarpObjectives({sign, sign}, WarpReference::kSlack);
    EXPECT_TRUE(same.is_constant);
    EXPECT_GT(sign * (same.targets[0] - same.zero), 0.1);
  }
  EXPECT_TRUE(WarpObjectives({0.0, 0.0}, WarpReference::kSlack).is_constant);
}

}  // namespace
}  // namespace vernier
