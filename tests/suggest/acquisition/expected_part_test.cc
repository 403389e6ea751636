#include "suggest/acquisition/expected_part.h"

#include <gtest/gtest.h>

#include <cmath>

#include "suggest/acquisition/acquisition_function.h"
#include "suggest/acquisition/log_expected_improvement.h"
#include "suggest/gp/marginal_score.h"
#include "tests/suggest/gradient_check.h"
#include "tests/suggest/regression_examples.h"

namespace vernier {
namespace {

TEST(ExpectedPartTest, IsThatOfAStoppedTrialWhereNothingIsWon) {
  EXPECT_NEAR(ComputeExpectedPart(-9, 1, 0, 0.1).value, 0.1, 1e-9);
  EXPECT_NEAR(ComputeExpectedPart(9, 1, 0, 0.1).value, 1, 1e-9);
  EXPECT_DOUBLE_EQ(ComputeExpectedPart(0.5, 2, 0.5, 0.1).value, 0.55);
  EXPECT_DOUBLE_EQ(ComputeExpectedPart(-1, 2, 0.5, 1).value, 1);
}

TEST(ExpectedPartTest, DerivativesMatchFiniteDifferences) {
  constexpr double kStep = 1e-6;
  for (const double mean : {-2.0, 0.4, 0.5, 1.5}) {
    const auto value = [](double m, double v) {
      return ComputeExpectedPart(m, v, 0.5, 0.2).value;
    };
    const MarginalScore part = ComputeExpectedPart(mean, 0.7, 0.5, 0.2);
    EXPECT_NEAR(
        part.d_mean,
        (value(mean + kStep, 0.7) - value(mean - kStep, 0.7)) / (2 * kStep),
        1e-8);
    EXPECT_NEAR(
        part.d_variance,
        (value(mean, 0.7 + kStep) - value(mean, 0.7 - kStep)) / (2 * kStep),
        1e-8);
  }
}

class LogEiPerTrainingTest : public testing::Test {
 protected:
  LogEiPerTrainingTest()
      : data_(RandomRegression(40, 4, 8)),
        gp_(*GaussianProcess::Create(data_, RandomHyperparameters(data_, 2))),
        points_(RandomRegression(70, 4, 12).inputs) {}

  RegressionData data_;
  GaussianProcess gp_;
  Eigen::MatrixXd points_;  // More than one batch of 64.
};

TEST_F(LogEiPerTrainingTest, GradientsMatchFiniteDifferences) {
  ExpectGradients(LogEiAcquisition(gp_, 0, 0.1), points_);
  ExpectGradients(LogEiAcquisition(gp_, 0.05, 0.1), points_);
}

TEST_F(LogEiPerTrainingTest, IsTheGainDividedByThePart) {
  Eigen::VectorXd values;
  LogEiAcquisition(gp_, 0, 0.1).Evaluate(points_, &values, nullptr);
  const Posterior posterior = gp_.Predict(points_, false);
  const double best = gp_.fitted_means().maxCoeff();
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    const double mean = posterior.mean[i];
    const double variance = posterior.variance[i];
    EXPECT_NEAR(
        values[i],
        ComputeLogExpectedImprovement(mean, variance, best).value -
            std::log(ComputeExpectedPart(mean, variance, best, 0.1).value),
        1e-9 * (1 + std::abs(values[i])));
  }
}

TEST_F(LogEiPerTrainingTest, IsTheImprovementWhereNothingIsSaved) {
  Eigen::VectorXd values;
  Eigen::MatrixXd gradients;
  LogEiAcquisition(gp_, 0.05, 1).Evaluate(points_, &values, &gradients);
  Eigen::VectorXd expected;
  Eigen::MatrixXd expected_gradients;
  const double best = gp_.fitted_means().maxCoeff() + 0.05;
  const auto improvement = [&](double mean, double variance) {
    return ComputeLogExpectedImprovement(mean, variance, best);
  };
  EvaluateInBatches(gp_, points_, improvement, &expected, &expected_gradients);
  EXPECT_EQ(values, expected);
  EXPECT_EQ(gradients, expected_gradients);
}

}  // namespace
}  // namespace vernier
