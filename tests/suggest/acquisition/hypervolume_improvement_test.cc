#include "suggest/acquisition/hypervolume_improvement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "suggest/acquisition/log_expected_improvement.h"
#include "suggest/front/pareto_front.h"
#include "suggest/gp/surrogate_model.h"
#include "tests/suggest/gradient_check.h"
#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;

MatrixXd FrontOf(Index metrics) {
  MatrixXd front(3, metrics);
  for (Index row = 0; row < 3; ++row) {
    for (Index k = 0; k < metrics; ++k) {
      front(row, k) = std::fmod(0.37 + 0.41 * static_cast<double>(row) +
                                    0.29 * static_cast<double>((row + 2) * k),
                                1.0);
    }
  }
  return front;
}

struct Sampled {
  double mean = 0;
  double standard_error = 0;
};

// The mean gain of many draws.
Sampled SampleImprovement(const MatrixXd& front, const RowVectorXd& reference,
                          const std::vector<double>& means,
                          const std::vector<double>& variances) {
  std::mt19937_64 rng(3);
  std::normal_distribution<double> normal;
  const double before = Hypervolume(front, reference);
  constexpr int kDraws = 100000;
  MatrixXd with(front.rows() + 1, front.cols());
  with.topRows(front.rows()) = front;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    for (Index k = 0; k < front.cols(); ++k) {
      const auto at = static_cast<std::size_t>(k);
      with(front.rows(), k) =
          means[at] + std::sqrt(variances[at]) * normal(rng);
    }
    const double gain = Hypervolume(with, reference) - before;
    sum += gain;
    squares += gain * gain;
  }
  const double mean = sum / kDraws;
  return {mean, std::sqrt((squares / kDraws - mean * mean) / kDraws)};
}

TEST(HypervolumeImprovementTest, IsTheMeanOfDraws) {
  for (const Index metrics : {1, 2, 3, 4}) {
    const MatrixXd front = FrontOf(metrics);
    const RowVectorXd reference = RowVectorXd::Constant(metrics, 0.05);
    const std::vector<double> means = {0.5, 0.6, 0.4, 0.55};
    const std::vector<double> variances = {0.04, 0.09, 0.25, 0.02};
    const JointScore score = ComputeLogHypervolumeImprovement(
        DecomposeFree(front, reference), means.data(), variances.data());
    const Sampled sampled =
        SampleImprovement(front, reference, means, variances);
    EXPECT_LT(sampled.standard_error, 0.03 * sampled.mean);
    EXPECT_NEAR(std::exp(score.value), sampled.mean, 4 * sampled.standard_error)
        << metrics;
  }
}

TEST(HypervolumeImprovementTest, OfOneMetricIsTheExpectedImprovement) {
  MatrixXd front(2, 1);
  front << 0.3, 0.7;
  const FreeBoxes boxes = DecomposeFree(front, RowVectorXd::Zero(1));
  for (const double mean : {-40.0, -3.0, 0.2, 0.9}) {
    const double variance = 0.04;
    const JointScore score =
        ComputeLogHypervolumeImprovement(boxes, &mean, &variance);
    const MarginalScore expected =
        ComputeLogExpectedImprovement(mean, variance, 0.7);
    if (mean > -30) {
      EXPECT_NEAR(score.value, expected.value,
                  1e-9 * (1 + std::abs(expected.value)));
      EXPECT_NEAR(score.d_mean[0], expected.d_mean, 1e-6 * expected.d_mean);
      EXPECT_NEAR(score.d_variance[0], expected.d_variance,
                  1e-6 * expected.d_variance);
    }
    EXPECT_TRUE(std::isfinite(score.value)) << mean;
    EXPECT_GT(score.d_mean[0], 0) << mean;
  }
}

// Where nothing is within reach it still says which way to go.
TEST(HypervolumeImprovementTest, IsFiniteFarAway) {
  const FreeBoxes boxes = DecomposeFree(FrontOf(3), RowVectorXd::Zero(3));
  double before = -1e300;
  for (const double mean : {-1e6, -1e3, -50.0, -5.0, 0.5}) {
    const std::vector<double> means(3, mean);
    const std::vector<double> variances(3, 0.01);
    const JointScore score =
        ComputeLogHypervolumeImprovement(boxes, means.data(), variances.data());
    EXPECT_TRUE(std::isfinite(score.value)) << mean;
    EXPECT_GT(score.value, before) << mean;
    EXPECT_GT(score.d_mean[1], 0) << mean;
    before = score.value;
  }
}

class HypervolumeGradientTest : public testing::TestWithParam<int> {};

TEST_P(HypervolumeGradientTest, AgreesWithDifferences) {
  const int num_metrics = GetParam();
  std::vector<SurrogateCache> caches(static_cast<std::size_t>(num_metrics));
  std::vector<const GaussianProcess*> processes;
  MatrixXd merits;
  for (int k = 0; k < num_metrics; ++k) {
    StudyView view;
    view.space = {DoubleParameter("x", 0, 1), DoubleParameter("y", 0, 1)};
    for (int i = 1; i <= 12; ++i) {
      const double x = std::fmod(0.7549 * i, 1.0);
      const double y = std::fmod(0.5698 * i, 1.0);
      Observation observation;
      observation.parameters = {{"x", x}, {"y", y}};
      observation.objective = std::sin(3 * x + k) + std::cos(4 * y - k);
      view.completed.push_back(observation);
    }
    const SearchSpaceEncoding encoding(view.space);
    const auto model = caches[static_cast<std::size_t>(k)].Get(view, encoding);
    ASSERT_TRUE(model.ok()) << model.status();
    processes.push_back(&(*model)->gp);
    merits.conservativeResize(12, k + 1);
    merits.col(k) = (*model)->gp.fitted_means();
  }
  MatrixXd points(4, 2);
  points << 0.21, 0.13, 0.4, 0.9, 0.8, 0.35, 0.55, 0.52;
  const RowVectorXd reference = merits.colwise().minCoeff();
  if (num_metrics <= 4) {
    ExpectGradients(
        LogHypervolumeImprovement(processes, DecomposeFree(merits, reference)),
        points);
  }
  const RowVectorXd weights = RowVectorXd::LinSpaced(num_metrics, 0.3, 0.9);
  ExpectGradients(ScalarizedBound(processes, reference, weights, 1.8), points);
}

INSTANTIATE_TEST_SUITE_P(ByNumberOfMetrics, HypervolumeGradientTest,
                         testing::Values(1, 2, 3, 4, 6));

}  // namespace
}  // namespace vernier
