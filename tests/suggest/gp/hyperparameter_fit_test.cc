#include "suggest/gp/hyperparameter_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "suggest/gp/map_objective.h"
#include "suggest/gp/nlopt_library.h"
#include "suggest/gp/triangular_inverse.h"
#include "tests/suggest/regression_examples.h"

namespace vernier {
namespace {

absl::StatusOr<LogHyperparameters> FitFromDefaults(const RegressionData& data) {
  const HyperparameterPrior prior = MakeHyperparameterPrior(data.groups);
  return FitHyperparameters(data, prior, StartingPoints(prior),
                            HyperparameterFitOptions{});
}

TEST(TriangularInverseTest, InvertsAndSquaresAtEverySize) {
  for (const int n : {1, 2, 23, 24, 25, 50, 97}) {
    const Eigen::MatrixXd inputs = RandomRegression(n, n, 3).inputs;
    Eigen::MatrixXd spd = inputs * inputs.transpose();
    spd.diagonal().array() += n;
    const Eigen::MatrixXd factor = spd.llt().matrixL();
    Eigen::MatrixXd inverse = factor;
    inverse.triangularView<Eigen::StrictlyUpper>().setConstant(99);
    InvertLowerTriangle(inverse);
    if (n > 1) {
      EXPECT_EQ(inverse(0, n - 1), 99);
    }
    const Eigen::MatrixXd lower = inverse.triangularView<Eigen::Lower>();
    EXPECT_TRUE((lower * factor).isIdentity(1e-12)) << n;
    SquareLowerTriangle(inverse);
    const Eigen::MatrixXd full = inverse.selfadjointView<Eigen::Lower>();
    EXPECT_TRUE((full * spd).isIdentity(1e-10)) << n;
  }
}

TEST(MapObjectiveTest, GradientMatchesFiniteDifferences) {
  const RegressionData data = RandomRegression(35, 5, 7);
  const HyperparameterPrior prior = MakeHyperparameterPrior(data.groups);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const LogHyperparameters theta = RandomHyperparameters(data, seed);
    Eigen::VectorXd gradient;
    ASSERT_TRUE(MapObjective(data, prior).Evaluate(theta, &gradient).ok());
    ASSERT_EQ(gradient.size(), 6);
    for (Eigen::Index k = 0; k < theta.size(); ++k) {
      constexpr double kStep = 1e-5;
      LogHyperparameters up = theta;
      LogHyperparameters down = theta;
      up[k] += kStep;
      down[k] -= kStep;
      const double expected =
          (*MapObjective(data, prior).Evaluate(up, nullptr) -
           *MapObjective(data, prior).Evaluate(down, nullptr)) /
          (2 * kStep);
      EXPECT_NEAR(gradient[k], expected, 1e-6 * (1 + std::abs(expected))) << k;
    }
  }
}

// The objective of one point, by hand: K + N = 1.25, m = 4/9.
TEST(MapObjectiveTest, FollowsAHandComputedCase) {
  RegressionData data;
  data.inputs = Eigen::MatrixXd::Zero(1, 1);
  data.targets = Eigen::VectorXd::Ones(1);
  data.noise_scale = Eigen::VectorXd::Ones(1);
  data.groups = {{0}, {false}};
  LogHyperparameters theta(3);
  theta << 0, 0, std::log(0.25);
  const HyperparameterPrior prior = MakeHyperparameterPrior(data.groups);
  const double a = -std::log(0.2);
  const double b = std::log(0.25) + 5;
  const double expected = 0.5 * (25.0 / 81) / 1.25 + 0.5 * std::log(1.25) +
                          (16.0 / 81) / 2 + 0.5 * (a * a + b * b);
  EXPECT_NEAR(*MapObjective(data, prior).Evaluate(theta, nullptr), expected,
              1e-12);
}

TEST(HyperparameterFitTest, FindsAStationaryPointBetterThanItsStarts) {
  const RegressionData data = RandomRegression(60, 4, 5);
  const auto theta = FitFromDefaults(data);
  ASSERT_TRUE(theta.ok()) << theta.status();
  const HyperparameterPrior prior = MakeHyperparameterPrior(data.groups);
  Eigen::VectorXd gradient;
  const double value = *MapObjective(data, prior).Evaluate(*theta, &gradient);
  for (const LogHyperparameters& start : StartingPoints(prior)) {
    EXPECT_LT(value, *MapObjective(data, prior).Evaluate(start, nullptr));
  }
  for (Eigen::Index k = 0; k < gradient.size(); ++k) {
    EXPECT_GE((*theta)[k], prior.lower[k]);
    EXPECT_LE((*theta)[k], prior.upper[k]);
  }
  EXPECT_LT(gradient.lpNorm<Eigen::Infinity>(), 0.3);
}

TEST(HyperparameterFitTest, EstimatesTheNoise) {
  const RegressionData data = RandomRegression(80, 2, 21);  // Noise 0.05.
  const auto theta = FitFromDefaults(data);
  ASSERT_TRUE(theta.ok());
  const double deviation = std::sqrt(NoiseVariance(*theta));
  EXPECT_GT(deviation, 0.05 / 3);
  EXPECT_LT(deviation, 0.05 * 3);
}

TEST(HyperparameterFitTest, GivesTheSameBitsTwice) {
  const RegressionData data = RandomRegression(40, 3, 2);
  EXPECT_EQ(*FitFromDefaults(data), *FitFromDefaults(data));
}

TEST(HyperparameterFitTest, PriorGrowsWithDimensionAndIsLongerForCategories) {
  const LengthScaleGroups groups = {{0, 1, 1, 2, 3},
                                    {false, true, false, false}};
  const HyperparameterPrior prior = MakeHyperparameterPrior(groups);
  EXPECT_NEAR(std::exp(prior.mean[0]), 0.2 * 2, 1e-12);
  EXPECT_NEAR(std::exp(prior.mean[1]), 0.4 * 2, 1e-12);
}

TEST(NloptLibraryTest, NamesThePackageToInstallWhenMissing) {
  const auto missing = NloptLibrary::Open("libvernier-no-such-thing.so.0");
  EXPECT_EQ(missing.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(missing.status().message()),
              testing::HasSubstr("libnlopt0"));
}

TEST(NloptLibraryTest, RefusesALibraryWithoutItsFunctions) {
  const auto other = NloptLibrary::Open("libc.so.6");
  EXPECT_EQ(other.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(other.status().message()),
              testing::HasSubstr("nlopt_create"));
}

}  // namespace
}  // namespace vernier
