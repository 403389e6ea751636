#include "suggest/memory/target_scale.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>

#include "suggest/gp/gaussian_process.h"
#include "tests/suggest/regression_examples.h"

namespace vernier {
namespace {

using Eigen::Index;

// The first rows are foreign, and the own ones follow the same function,
// stretched.
struct Case {
  Eigen::MatrixXd covariance;
  Eigen::MatrixXd inverse_factor;
  Eigen::VectorXd foreign;
  Eigen::VectorXd own;
};

Case MakeCase(double factor, double offset) {
  const RegressionData data = RandomRegression(40, 2, 3);
  LogHyperparameters theta(4);
  theta << std::log(0.6), std::log(0.6), 0, std::log(1e-3);
  FactorizedCovariance joint;
  EXPECT_TRUE(Factorize(data, theta, &joint).ok());
  Case made;
  made.inverse_factor = joint.inverse_factor;
  const Eigen::MatrixXd factorized = joint.inverse_factor.inverse();
  made.covariance = factorized * factorized.transpose();
  Eigen::VectorXd smooth(40);
  for (Index i = 0; i < 40; ++i) {
    smooth[i] = std::sin(3 * data.inputs(i, 0)) + data.inputs(i, 1);
  }
  made.foreign = smooth.head(30);
  made.own = (smooth.tail(10).array() - offset) / factor;
  return made;
}

TEST(TargetScaleTest, FindsTheLineThatTheForeignTargetsAgreeWith) {
  const Case made = MakeCase(0.3, 0.8);
  const TargetScale scale = FitTargetScale(made.inverse_factor, made.foreign,
                                           made.own, made.foreign.mean());
  EXPECT_NEAR(scale.factor, 0.3, 0.02);
  EXPECT_NEAR(scale.offset, 0.8, 0.05);
}

// The conditional density of the own targets by the textbook's formulas.
double NegativeLogDensity(const Case& made, double mean, double factor,
                          double offset) {
  const Index f = made.foreign.size();
  const Index n = made.own.size();
  const Eigen::MatrixXd k_ff = made.covariance.topLeftCorner(f, f);
  const Eigen::MatrixXd k_of = made.covariance.bottomLeftCorner(n, f);
  const Eigen::MatrixXd gain = k_of * k_ff.inverse();
  const Eigen::MatrixXd rest =
      made.covariance.bottomRightCorner(n, n) - gain * k_of.transpose();
  const Eigen::VectorXd predicted =
      mean + (gain * (made.foreign.array() - mean).matrix()).array();
  const Eigen::VectorXd error =
      ((factor * made.own).array() + offset).matrix() - predicted;
  const double z = std::log(factor) + 0.7;
  return 0.5 * error.dot(rest.llt().solve(error)) + 0.5 * z * z +
         0.5 * (offset - mean) * (offset - mean) -
         static_cast<double>(n - 1) * std::log(factor);
}

TEST(TargetScaleTest, NoOtherLineIsMoreProbable) {
  const Case made = MakeCase(0.5, -0.2);
  const double mean = made.foreign.mean();
  const TargetScale scale =
      FitTargetScale(made.inverse_factor, made.foreign, made.own, mean);
  const double best =
      NegativeLogDensity(made, mean, scale.factor, scale.offset);
  for (const double by : {0.9, 1.1}) {
    EXPECT_GT(NegativeLogDensity(made, mean, by * scale.factor, scale.offset),
              best);
  }
  for (const double by : {-0.05, 0.05}) {
    EXPECT_GT(NegativeLogDensity(made, mean, scale.factor, scale.offset + by),
              best);
  }
}

TEST(TargetScaleTest, TheFactorStaysPositiveWhereTargetsAreInverted) {
  Case made = MakeCase(0.5, 0);
  made.own = -made.own;
  const TargetScale scale = FitTargetScale(made.inverse_factor, made.foreign,
                                           made.own, made.foreign.mean());
  EXPECT_GT(scale.factor, 0);
  EXPECT_LT(scale.factor, 0.1);
}

TEST(TargetScaleTest, OneResultIsTakenAsItIsPredicted) {
  Case made = MakeCase(1, 0);
  made.inverse_factor =
      Eigen::MatrixXd(made.inverse_factor.topLeftCorner(31, 31));
  made.own = Eigen::VectorXd::Zero(1);
  const TargetScale scale = FitTargetScale(made.inverse_factor, made.foreign,
                                           made.own, made.foreign.mean());
  EXPECT_TRUE(std::isfinite(scale.factor));
  EXPECT_TRUE(std::isfinite(scale.offset));
}

}  // namespace
}  // namespace vernier
