#include "suggest/gp/probit_mode.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "suggest/gp/gaussian_process.h"
#include "tests/suggest/regression_examples.h"

namespace vernier {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kSteepness = 1.5;

class ProbitModeTest : public testing::Test {
 protected:
  ProbitModeTest() {
    counts_.inputs = data_.inputs;
    counts_.groups = data_.groups;
    counts_.good = VectorXd::Zero(data_.inputs.rows());
    counts_.bad = counts_.good;
    for (Index i = 0; i < data_.inputs.rows(); ++i) {
      (data_.inputs(i, 0) > 0.6 ? counts_.bad : counts_.good)[i] = 1;
    }
    counts_.good[0] = 2;  // Tried three times.
    counts_.bad[0] = 1;
  }

  ProbitMode Find(double steepness) const {
    const auto mode = FindProbitMode(counts_, theta_, steepness);
    EXPECT_TRUE(mode.ok()) << mode.status();
    return *mode;
  }

  // The latent covariance, that of the linear part included.
  MatrixXd Covariance(double steepness) const {
    const MatrixXd linear = LinearColumns(data_.inputs);
    return GaussianProcess::Create(data_, theta_)->Covariance(data_.inputs) +
           steepness * steepness * linear * linear.transpose();
  }

  const RegressionData data_ = RandomRegression(12, 2, 5);
  const LogHyperparameters theta_ = RandomHyperparameters(data_, 3);
  SuccessCounts counts_;
};

double Phi(double x) { return 0.5 * std::erfc(-x / std::sqrt(2)); }
double Density(double x) {
  return std::exp(-0.5 * x * x) / std::sqrt(2 * M_PI);
}

// At the mode the gradients of likelihood and prior cancel each other, and the
// evidence is the textbook's (Rasmussen and Williams 2006, eq. 3.32).
TEST_F(ProbitModeTest, IsTheModeAndItsEvidence) {
  for (const double steepness : {0.0, kSteepness}) {
    const ProbitMode mode = Find(steepness);
    const MatrixXd k = Covariance(steepness);
    const Index n = k.rows();
    const MatrixXd noise = mode.data.known_noise.asDiagonal();
    const MatrixXd inverse = (k + noise).inverse();
    const VectorXd ones = VectorXd::Ones(n);
    const double mean =
        ones.dot(inverse * mode.data.targets) / (ones.dot(inverse * ones) + 1);
    const VectorXd alpha = inverse * (mode.data.targets - mean * ones);
    const VectorXd f = (k * alpha).array() + mean + kProbitMean;
    double log_likelihood = 0;
    for (Index i = 0; i < n; ++i) {
      const double slope = counts_.good[i] * Density(f[i]) / Phi(f[i]) -
                           counts_.bad[i] * Density(f[i]) / Phi(-f[i]);
      EXPECT_NEAR(alpha[i], slope, 1e-4) << i;
      log_likelihood += counts_.good[i] * std::log(Phi(f[i])) +
                        counts_.bad[i] * std::log(Phi(-f[i]));
    }
    const MatrixXd scaled = MatrixXd::Identity(n, n) + noise.inverse() * k;
    EXPECT_NEAR(mode.log_evidence,
                log_likelihood - 0.5 * alpha.dot(k * alpha) -
                    0.5 * mean * mean - 0.5 * std::log(scaled.determinant()),
                1e-4);
  }
}

TEST_F(ProbitModeTest, ALineIsMoreProbableWhereABorderIsALine) {
  EXPECT_GT(Find(kSteepness).log_evidence, Find(0).log_evidence);
}

}  // namespace
}  // namespace vernier
