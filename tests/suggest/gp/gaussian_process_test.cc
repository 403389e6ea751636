#include "suggest/gp/gaussian_process.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "base/rng.h"
#include "suggest/acquisition/acquisition_function.h"
#include "tests/suggest/gradient_check.h"
#include "tests/suggest/regression_examples.h"

namespace vernier {
namespace {

double Matern52(double distance) {
  const double s = std::sqrt(5.0) * distance;
  return (1 + s + s * s / 3) * std::exp(-s);
}

// One observation y = 1 at 0; length scale, signal variance 1; noise 1/4. The
// mean is (1/1.25) / (1/1.25 + 1) = 4/9 and so is alpha.
TEST(GaussianProcessTest, FollowsAHandComputedCase) {
  RegressionData data;
  data.inputs = Eigen::MatrixXd::Zero(1, 1);
  data.targets = Eigen::VectorXd::Ones(1);
  data.noise_scale = Eigen::VectorXd::Ones(1);
  data.groups = {{0}, {false}};
  LogHyperparameters theta(3);
  theta << 0, 0, std::log(0.25);
  const auto gp = GaussianProcess::Create(data, theta);
  ASSERT_TRUE(gp.ok()) << gp.status();
  Eigen::MatrixXd queries(2, 1);
  queries << 1, 0;
  const Posterior posterior = gp->Predict(queries, false);
  const double k = Matern52(1);
  EXPECT_NEAR(posterior.mean[0], 4.0 / 9 * (1 + k), 1e-14);
  EXPECT_NEAR(posterior.variance[0], 1 - k * k / 1.25, 1e-14);
  EXPECT_NEAR(posterior.mean[1], 8.0 / 9, 1e-14);
  EXPECT_NEAR(posterior.variance[1], 1 - 1 / 1.25, 1e-14);
  EXPECT_NEAR(gp->fitted_means()[0], 8.0 / 9, 1e-14);
}

TEST(GaussianProcessTest, ColumnsThatAQueryLacksAreZero) {
  RegressionData data = RandomRegression(30, 4, 2);
  data.num_foreign = 12;
  const LogHyperparameters theta =
      StartingPoints(MakeHyperparameterPrior(data.groups)).front();
  const auto gp = GaussianProcess::Create(data, theta);
  ASSERT_TRUE(gp.ok()) << gp.status();
  EXPECT_EQ(gp->fitted_means().size(), 18);
  const Eigen::MatrixXd narrow = RandomRegression(5, 3, 7).inputs;
  Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(5, 4);
  whole.leftCols(3) = narrow;
  const Posterior one = gp->Predict(narrow, true);
  const Posterior other = gp->Predict(whole, true);
  EXPECT_EQ(one.mean, other.mean);
  EXPECT_EQ(one.variance, other.variance);
  EXPECT_EQ(one.mean_gradient, other.mean_gradient.leftCols(3));
  EXPECT_EQ(one.variance_gradient, other.variance_gradient.leftCols(3));
  EXPECT_EQ(gp->PredictMean(narrow, true).mean_gradient,
            gp->PredictMean(whole, true).mean_gradient.leftCols(3));
}

TEST(GaussianProcessTest, KernelMatchesTheDirectFormula) {
  const RegressionData data = RandomRegression(40, 5, 1);
  const KernelBlock block = ComputeMatern52(data.inputs, data.inputs, 1.7);
  KernelBlock lower;
  ComputeLowerMatern52(data.inputs, 1.7, &lower);
  for (int i = 0; i < 40; ++i) {
    for (int j = 0; j < 40; ++j) {
      if (j <= i) {
        EXPECT_NEAR(lower.value(i, j), block.value(i, j), 1e-12);
        EXPECT_NEAR(lower.slope(i, j), block.slope(i, j), 1e-12);
      }
      const double r = (data.inputs.row(i) - data.inputs.row(j)).norm();
      EXPECT_NEAR(block.value(i, j), 1.7 * Matern52(r), 1e-12);
      const double s = std::sqrt(5.0) * r;
      EXPECT_NEAR(block.slope(i, j), 1.7 * 5 / 3 * (1 + s) * std::exp(-s),
                  1e-12);
    }
  }
}

TEST(GaussianProcessTest, PredictsAsTheDenseFormulaDoes) {
  const RegressionData data = RandomRegression(60, 4, 2);
  const LogHyperparameters theta = RandomHyperparameters(data, 3);
  const auto gp = GaussianProcess::Create(data, theta);
  ASSERT_TRUE(gp.ok());
  FactorizedCovariance factorized;
  ASSERT_TRUE(Factorize(data, theta, &factorized).ok());
  Eigen::MatrixXd covariance =
      factorized.kernel.value.selfadjointView<Eigen::Lower>();
  covariance.diagonal() += factorized.noise_variance;
  const Eigen::MatrixXd inverse = covariance.inverse();
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(60);
  const double mean = ones.dot(inverse * data.targets) /
                      (ones.dot(inverse * ones) + 1 / kMeanPriorVariance);
  const Eigen::MatrixXd queries = RandomRegression(7, 4, 5).inputs;
  const Eigen::RowVectorXd inverse_scales =
      InverseLengthScales(data.groups, theta);
  const Eigen::MatrixXd scaled = data.inputs * inverse_scales.asDiagonal();
  const Eigen::MatrixXd scaled_queries = queries * inverse_scales.asDiagonal();
  const Eigen::MatrixXd cross =
      ComputeMatern52(scaled, scaled_queries, SignalVariance(theta)).value;
  const Posterior posterior = gp->Predict(queries, false);
  for (int i = 0; i < 7; ++i) {
    const Eigen::VectorXd k = cross.col(i);
    EXPECT_NEAR(posterior.mean[i],
                mean + k.dot(inverse * (data.targets - mean * ones)), 1e-8);
    EXPECT_NEAR(posterior.variance[i],
                SignalVariance(theta) - k.dot(inverse * k), 1e-8);
  }
}

// Noise that points share is added to the covariance of their targets, and to
// nothing else.
TEST(GaussianProcessTest, SharedNoiseCorrelatesTheTargets) {
  RegressionData data = RandomRegression(30, 3, 2);
  const LogHyperparameters theta = RandomHyperparameters(data, 3);
  data.shared_noise = 0.4 * RandomRegression(30, 2, 8).inputs;
  const auto gp = GaussianProcess::Create(data, theta);
  ASSERT_TRUE(gp.ok());
  FactorizedCovariance factorized;
  ASSERT_TRUE(Factorize(data, theta, &factorized).ok());
  const Eigen::MatrixXd kernel =
      factorized.kernel.value.selfadjointView<Eigen::Lower>();
  Eigen::MatrixXd covariance =
      kernel + data.shared_noise * data.shared_noise.transpose();
  covariance.diagonal() += factorized.noise_variance;
  const Eigen::MatrixXd inverse = covariance.inverse();
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(30);
  const double mean = ones.dot(inverse * data.targets) /
                      (ones.dot(inverse * ones) + 1 / kMeanPriorVariance);
  const Eigen::VectorXd fitted =
      kernel * inverse * (data.targets - mean * ones) + mean * ones;
  EXPECT_LT((gp->fitted_means() - fitted).cwiseAbs().maxCoeff(), 1e-8);
  const Posterior posterior = gp->Predict(data.inputs, false);
  EXPECT_LT((posterior.mean - fitted).cwiseAbs().maxCoeff(), 1e-8);
  const Eigen::VectorXd variances =
      (kernel - kernel * inverse * kernel).diagonal();
  EXPECT_LT((posterior.variance - variances).cwiseAbs().maxCoeff(), 1e-8);
  data.shared_noise.conservativeResize(29, 2);
  EXPECT_EQ(GaussianProcess::Create(data, theta).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(GaussianProcessTest, RowsAppendedAgreeWithAFactorOfTheWhole) {
  const RegressionData data = RandomRegression(60, 4, 2);
  const LogHyperparameters theta = RandomHyperparameters(data, 3);
  const RegressionData some = {data.inputs.topRows(20), data.targets.head(20),
                               data.noise_scale.head(20), data.groups};
  const auto whole = GaussianProcess::Create(data, theta);
  auto grown = GaussianProcess::Create(some, theta);
  ASSERT_TRUE(whole.ok() && grown.ok());
  for (int i = 20; i < 60; ++i) {
    grown->Append(data.inputs.row(i), data.noise_scale[i], 0);
  }
  grown->SetTargets(data.targets);
  EXPECT_EQ(grown->num_data(), 60);
  EXPECT_LT(
      (grown->fitted_means() - whole->fitted_means()).cwiseAbs().maxCoeff(),
      1e-9);
  const Eigen::MatrixXd queries = RandomRegression(7, 4, 5).inputs;
  const Posterior got = grown->Predict(queries, false);
  const Posterior expected = whole->Predict(queries, false);
  EXPECT_LT((got.mean - expected.mean).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((got.variance - expected.variance).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(GaussianProcessTest, HallucinationShrinksVarianceAsDataWould) {
  const RegressionData data = RandomRegression(30, 3, 4);
  const LogHyperparameters theta = RandomHyperparameters(data, 1);
  const RegressionData some = {data.inputs.topRows(25), data.targets.head(25),
                               data.noise_scale.head(25), data.groups};
  auto conditioned = GaussianProcess::Create(some, theta);
  const auto before = GaussianProcess::Create(some, theta);
  RegressionData plain = data;
  plain.noise_scale.tail(5).setOnes();
  const auto with_data = GaussianProcess::Create(plain, theta);
  ASSERT_TRUE(conditioned.ok() && before.ok() && with_data.ok());
  for (int i = 25; i < 30; ++i) conditioned->Hallucinate(data.inputs.row(i));
  EXPECT_EQ(conditioned->size(), 30);
  const Eigen::MatrixXd queries = RandomRegression(20, 3, 9).inputs;
  const Posterior got = conditioned->Predict(queries, false);
  EXPECT_LT(
      (got.mean - before->Predict(queries, false).mean).cwiseAbs().maxCoeff(),
      1e-12);
  EXPECT_LT((got.variance - with_data->Predict(queries, false).variance)
                .cwiseAbs()
                .maxCoeff(),
            1e-10);
}

TEST(GaussianProcessTest, SurvivesNearlyIdenticalInputs) {
  RegressionData data = RandomRegression(200, 2, 6);
  std::mt19937_64 rng = MakeRng(1, 1);
  for (int i = 0; i < 200; ++i) {
    data.inputs(i, 0) = 0.3 + 1e-9 * UniformDouble(rng);
    data.inputs(i, 1) = i < 150 ? 0.5 : 0.5 + 1e-9 * UniformDouble(rng);
  }
  LogHyperparameters theta(4);
  theta << 4, 4, 4, std::log(1e-6);
  const auto gp = GaussianProcess::Create(data, theta);
  ASSERT_TRUE(gp.ok()) << gp.status();
  const Posterior posterior = gp->Predict(data.inputs, true);
  EXPECT_TRUE(posterior.mean.allFinite());
  EXPECT_GT(posterior.variance.minCoeff(), 0);
  EXPECT_TRUE(posterior.variance_gradient.allFinite());
}

TEST(GaussianProcessTest, RejectsBadShapesAndValues) {
  const RegressionData good = RandomRegression(5, 2, 1);
  const LogHyperparameters theta = RandomHyperparameters(good, 1);
  RegressionData data = good;
  data.targets.conservativeResize(4);
  EXPECT_EQ(GaussianProcess::Create(data, theta).status().code(),
            absl::StatusCode::kInvalidArgument);
  data = good;
  data.inputs(1, 1) = std::nan("");
  EXPECT_EQ(GaussianProcess::Create(data, theta).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(GaussianProcess::Create(good, theta.head(3)).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(AcquisitionFunctionTest, GradientsMatchFiniteDifferences) {
  const RegressionData data = RandomRegression(40, 4, 8);
  const LogHyperparameters theta = RandomHyperparameters(data, 2);
  auto gp = GaussianProcess::Create(data, theta);
  ASSERT_TRUE(gp.ok());
  // More than one batch of 64.
  const Eigen::MatrixXd points = RandomRegression(70, 4, 12).inputs;
  ExpectGradients(LogEiAcquisition(*gp), points);
  gp->Hallucinate(points.row(3));
  gp->Hallucinate(points.row(5));
  ExpectGradients(UpperConfidenceBound(*gp, 1.8), points.topRows(3));
  ExpectGradients(UpperConfidenceBound(*gp, 1.8), points.bottomRows(60));
}

}  // namespace
}  // namespace vernier
