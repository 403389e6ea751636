#include "suggest/insights/functional_anova.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/rng.h"
#include "suggest/design/latin_hypercube.h"
#include "suggest/design/sobol_sequence.h"

namespace vernier {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kPoints = 4096;

MatrixXd Units(int d) {
  std::mt19937_64 rng = MakeRng(5, 1);
  return ScrambledSobol(d, rng).Points(0, kPoints);
}

std::vector<AnovaAxis> Numbers(const MatrixXd& units) {
  std::vector<AnovaAxis> axes;
  for (const auto& unit : units.colwise()) axes.push_back({unit, {}, 0});
  return axes;
}

// A category of equally likely levels.
AnovaAxis Levels(const VectorXd& unit, int num_levels) {
  AnovaAxis axis{unit, {}, num_levels};
  for (const double u : unit) {
    axis.levels.push_back(static_cast<std::int64_t>(u * num_levels));
  }
  return axis;
}

template <typename F>
MatrixXd Values(const MatrixXd& units, const F& f) {
  MatrixXd values(units.rows(), 1);
  for (Eigen::Index i = 0; i < units.rows(); ++i) {
    values(i, 0) = f(units.row(i));
  }
  return values;
}

TEST(FunctionalAnovaTest, SharesOfASumAreThoseOfItsSquares) {
  const MatrixXd units = Units(3);
  const FunctionalAnova anova(Numbers(units));
  const MainEffects main = anova.EstimateMain(
      Values(units, [](const auto& u) { return 7 + 3 * u[0] - 4 * u[1]; }));
  EXPECT_NEAR(main.variances[0], 25.0 / 12, 1e-3);
  EXPECT_NEAR(main.shares(0, 0), 9.0 / 25, 1e-3);
  EXPECT_NEAR(main.shares(1, 0), 16.0 / 25, 1e-3);
  EXPECT_NEAR(main.shares(2, 0), 0, 1e-6);
  EXPECT_NEAR(anova.PairShare(main, 0, 1), 0, 1e-4);
}

// (u - 1/2)(v - 1/2) has no main effect; uv has both: of its variance, 7/144,
// each number explains 1/48 by itself.
TEST(FunctionalAnovaTest, AProductIsAnInteraction) {
  const MatrixXd units = Units(3);
  const FunctionalAnova anova(Numbers(units));
  const MainEffects centred = anova.EstimateMain(
      Values(units, [](const auto& u) { return (u[0] - 0.5) * (u[2] - 0.5); }));
  EXPECT_LT(centred.shares.maxCoeff(), 0.01);
  EXPECT_NEAR(anova.PairShare(centred, 0, 2), 1, 0.02);
  EXPECT_LT(anova.PairShare(centred, 0, 1), 0.01);
  const MainEffects product = anova.EstimateMain(
      Values(units, [](const auto& u) { return u[0] * u[2]; }));
  EXPECT_NEAR(product.shares(0, 0), 3.0 / 7, 0.005);
  EXPECT_NEAR(product.shares(2, 0), 3.0 / 7, 0.005);
  EXPECT_NEAR(anova.PairShare(product, 0, 2), 1.0 / 7, 0.005);
}

// Ishigami and Homma (1990), with a = 7 and b = 0.1; the indices are known.
TEST(FunctionalAnovaTest, FindsTheIndicesOfIshigamisFunction) {
  const MatrixXd units = Units(3);
  const FunctionalAnova anova(Numbers(units));
  const MainEffects main = anova.EstimateMain(Values(units, [](const auto& u) {
    const auto x = [&](int i) { return std::numbers::pi * (2 * u[i] - 1); };
    return std::sin(x(0)) + 7 * std::pow(std::sin(x(1)), 2) +
           0.1 * std::pow(x(2), 4) * std::sin(x(0));
  }));
  EXPECT_NEAR(main.shares(0, 0), 0.3139, 0.01);
  EXPECT_NEAR(main.shares(1, 0), 0.4424, 0.01);
  EXPECT_NEAR(main.shares(2, 0), 0, 0.01);
  EXPECT_NEAR(anova.PairShare(main, 0, 2), 0.2436, 0.01);
  EXPECT_NEAR(anova.PairShare(main, 0, 1), 0, 0.01);
}

// Levels 0, 0, 1 of a category, which differ by 1 with variance 2/9, and a
// number with variance 1/12.
TEST(FunctionalAnovaTest, GroupsLevels) {
  const MatrixXd units = Units(2);
  const FunctionalAnova anova({Levels(units.col(0), 3), {units.col(1), {}, 0}});
  const MainEffects main = anova.EstimateMain(Values(
      units, [](const auto& u) { return (u[0] * 3 >= 2 ? 1 : 0) + u[1]; }));
  const double all = 2.0 / 9 + 1.0 / 12;
  EXPECT_NEAR(main.shares(0, 0), 2.0 / 9 / all, 1e-3);
  EXPECT_NEAR(main.shares(1, 0), 1.0 / 12 / all, 1e-3);
  EXPECT_NEAR(anova.PairShare(main, 0, 1), 0, 1e-3);
}

// u - 1/2 with a sign that a category decides: an interaction only.
TEST(FunctionalAnovaTest, FindsThatACategoryTurnsANumbersEffect) {
  const MatrixXd units = Units(2);
  const FunctionalAnova anova({Levels(units.col(0), 2), {units.col(1), {}, 0}});
  const MainEffects main = anova.EstimateMain(Values(units, [](const auto& u) {
    return (u[0] < 0.5 ? -1 : 1) * (u[1] - 0.5);
  }));
  EXPECT_LT(main.shares.maxCoeff(), 0.01);
  EXPECT_NEAR(anova.PairShare(main, 0, 1), 1, 0.02);
}

// Each of 500 levels is seen some 8 times, so that their means differ by
// chance: what a category without effect seems to explain must go.
TEST(FunctionalAnovaTest, ManyLevelsExplainNothingByChance) {
  const MatrixXd units = Units(3);
  const FunctionalAnova anova({Levels(units.col(0), 500),
                               {units.col(1), {}, 0},
                               {units.col(2), {}, 0}});
  const MainEffects main = anova.EstimateMain(
      Values(units, [](const auto& u) { return std::cos(40 * u[1] * u[2]); }));
  EXPECT_LT(main.shares(0, 0), 0.03);
}

// More coefficients than points: 200 numbers of 10 each, of which two matter.
TEST(FunctionalAnovaTest, FindsWhatMattersInAWideSpace) {
  std::mt19937_64 rng = MakeRng(5, 1);
  const MatrixXd units = LatinHypercube(1024, 200, rng);
  const FunctionalAnova anova(Numbers(units));
  const MainEffects main = anova.EstimateMain(
      Values(units, [](const auto& u) { return 3 * u[17] - 4 * u[150]; }));
  EXPECT_NEAR(main.shares(17, 0), 9.0 / 25, 0.05);
  EXPECT_NEAR(main.shares(150, 0), 16.0 / 25, 0.05);
  for (Eigen::Index a = 0; a < 200; ++a) {
    if (a == 17 || a == 150) continue;
    EXPECT_LT(main.shares(a, 0), 0.03) << a;
  }
  EXPECT_LT(anova.PairShare(main, 17, 150), 0.05);
}

// What varies is the last bit.
TEST(FunctionalAnovaTest, AConstantHasNoShares) {
  const MatrixXd units = Units(2);
  const FunctionalAnova anova(Numbers(units));
  const MainEffects main = anova.EstimateMain(
      Values(units, [](const auto& u) { return 1e10 + 1e-6 * u[0]; }));
  EXPECT_EQ(main.shares(0, 0), 0);
  EXPECT_EQ(main.shares(1, 0), 0);
  EXPECT_EQ(anova.PairShare(main, 0, 1), 0);
}

// A share does not depend on what else is decomposed beside it.
TEST(FunctionalAnovaTest, TakesManyFunctionsAtOnce) {
  const MatrixXd units = Units(2);
  const FunctionalAnova anova(Numbers(units));
  MatrixXd both(units.rows(), 2);
  both.col(0) = units.col(0) + 2 * units.col(1);
  both.col(1) = 2 * units.col(0) - units.col(1);
  const MainEffects main = anova.EstimateMain(both);
  EXPECT_NEAR(main.shares(0, 0), 0.2, 1e-3);
  EXPECT_NEAR(main.shares(0, 1), 0.8, 1e-3);
}

}  // namespace
}  // namespace vernier
