#include "suggest/curves/curve_transition.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "tests/suggest/curves/transition_examples.h"

namespace vernier {
namespace {

TransitionData RandomData(int n) { return RandomTransition(n, 3, 0.1); }

TransitionData Without(const TransitionData& data, int left_out) {
  TransitionData rest = RandomData(static_cast<int>(data.changes.size()) - 1);
  int row = 0;
  for (int i = 0; i < data.changes.size(); ++i) {
    if (i == left_out) continue;
    rest.inputs.row(row) = data.inputs.row(i);
    rest.changes[row] = data.changes[i];
    rest.last_change[row] = data.last_change[i];
    rest.values[row++] = data.values[i];
  }
  return rest;
}

const TransitionShape kShape{0.5, 0.5, 0.1};

// The same by the textbook: Rasmussen and Williams 2006, equations 2.25, 2.26.
CurveTransition::Change Dense(const TransitionData& data,
                              const TransitionShape& shape, double typical,
                              const Eigen::RowVectorXd& input, double value,
                              double last_change) {
  const auto n = data.changes.size();
  const Eigen::VectorXd surprise = data.changes - 0.6 * data.last_change;
  const double unit =
      (surprise.squaredNorm() + 2 * typical) / (static_cast<double>(n) + 2) +
      1e-8;
  const double mean = data.values.mean();
  const auto kernel = [&](const Eigen::RowVectorXd& a, double la, double va,
                          const Eigen::RowVectorXd& b, double lb, double vb) {
    const double r = std::sqrt(5.0) * (a - b).norm() / shape.length_scale;
    return unit + 0.25 * la * lb + 0.02 * (va - mean) * (vb - mean) +
           shape.parameter_share * unit * (1 + r + r * r / 3) * std::exp(-r);
  };
  Eigen::MatrixXd covariance(n, n);
  Eigen::VectorXd to_query(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      covariance(i, j) =
          kernel(data.inputs.row(i), data.last_change[i], data.values[i],
                 data.inputs.row(j), data.last_change[j], data.values[j]);
    }
    to_query[i] = kernel(data.inputs.row(i), data.last_change[i],
                         data.values[i], input, last_change, value);
  }
  const double noise = shape.noise_share * unit;
  covariance.diagonal().array() += noise;
  const Eigen::VectorXd weights = covariance.ldlt().solve(to_query);
  return {0.6 * last_change + weights.dot(surprise),
          kernel(input, last_change, value, input, last_change, value) -
              weights.dot(to_query) + noise};
}

TEST(CurveTransitionTest, PredictsAsTheTextbookDoes) {
  const TransitionData data = RandomData(15);
  const auto transition = CurveTransition::Create(data, kShape, 0.3);
  ASSERT_TRUE(transition.has_value());
  const Eigen::RowVectorXd input = Eigen::RowVector2d(0.3, 0.8);
  const auto expected = Dense(data, kShape, 0.3, input, -0.2, 0.7);
  const auto change = transition->Predict(input, -0.2, 0.7);
  EXPECT_NEAR(change.mean, expected.mean, 1e-9);
  EXPECT_NEAR(change.variance, expected.variance, 1e-9);
}

TEST(CurveTransitionTest, AShapesLikelihoodIsThatOfItsTransition) {
  const TransitionData data = RandomData(15);
  const ShapeLikelihood likelihood(data, kShape.length_scale, 0.3);
  for (const double share : {0.02, 0.5}) {
    for (const double noise : {0.01, 0.4}) {
      const auto transition = CurveTransition::Create(
          data, {kShape.length_scale, share, noise}, 0.3);
      EXPECT_NEAR(likelihood.Of(share, noise).value(),
                  transition->log_likelihood(), 1e-9);
    }
  }
}

// Like trials err alike, and the same trial twice errs the same.
TEST(CurveTransitionTest, PredictsSeveralTogether) {
  const TransitionData data = RandomData(15);
  const auto transition = CurveTransition::Create(data, kShape, 0.3);
  Eigen::MatrixXd inputs(2, 2);
  inputs << 0.3, 0.8, 0.35, 0.7;
  const Eigen::Vector2d values(-0.2, 0.1);
  const Eigen::Vector2d last_changes(0.7, 0.5);
  const auto together =
      transition->PredictTogether(inputs, values, last_changes);
  for (int i = 0; i < 2; ++i) {
    const auto alone =
        transition->Predict(inputs.row(i), values[i], last_changes[i]);
    EXPECT_NEAR(together.means[i], alone.mean, 1e-12);
    EXPECT_NEAR(together.covariance(i, i),
                alone.variance - transition->noise_variance(), 1e-12);
  }
  Eigen::MatrixXd same(2, 2);
  same << 0.3, 0.8, 0.3, 0.8;
  const auto twice = transition->PredictTogether(
      same, Eigen::Vector2d(-0.2, -0.2), Eigen::Vector2d(0.7, 0.7));
  EXPECT_NEAR(twice.covariance.sum(), 4 * twice.covariance(0, 0), 1e-12);
  EXPECT_GT(together.covariance(0, 1), 0);
  EXPECT_LT(together.covariance(0, 1),
            std::sqrt(together.covariance(0, 0) * together.covariance(1, 1)));
}

TEST(CurveTransitionTest, ItsPartsAreTheDerivativesOfTheMean) {
  const auto transition = CurveTransition::Create(RandomData(15), kShape, 0.3);
  const Eigen::RowVectorXd input = Eigen::RowVector2d(0.3, 0.8);
  const double base = transition->Predict(input, -0.2, 0.7).mean;
  EXPECT_NEAR(transition->Predict(input, -0.2, 1.7).mean - base,
              transition->part_of_last_change(), 1e-9);
  EXPECT_NEAR(transition->Predict(input, 0.8, 0.7).mean - base,
              transition->part_of_value(), 1e-9);
}

// The typical change and the mean value are of all data, so that the comparison
// is with a model of the others that keeps them: at the same numbers.
TEST(CurveTransitionTest, LeftOutErrorsAreThoseOfTheOthersModel) {
  const TransitionData data = RandomData(40);
  const auto transition = CurveTransition::Create(data, kShape, 0.3);
  for (const int i : {0, 7, 39}) {
    const auto change = Dense(Without(data, i), kShape, 0.3, data.inputs.row(i),
                              data.values[i], data.last_change[i]);
    const double error = data.changes[i] - change.mean;
    EXPECT_NEAR(transition->left_out_errors()[i], error,
                0.1 * std::sqrt(change.variance));
    EXPECT_NEAR(transition->left_out_variances()[i], change.variance,
                0.2 * change.variance);
  }
}

TEST(CurveTransitionTest, OneTrialAndNoParameterAreEnough) {
  TransitionData data;
  data.inputs.resize(1, 0);
  data.changes = Eigen::VectorXd::Constant(1, 0.5);
  data.last_change = Eigen::VectorXd::Zero(1);
  data.values = Eigen::VectorXd::Zero(1);
  data.trials = {0};
  const auto transition = CurveTransition::Create(data, kShape, 0.25);
  ASSERT_TRUE(transition.has_value());
  const auto change = transition->Predict(Eigen::RowVectorXd(), 0, 0);
  EXPECT_GT(change.mean, 0.4);
  EXPECT_LT(change.mean, 0.5);
  EXPECT_GT(change.variance, 0);
}

}  // namespace
}  // namespace vernier
