#include "suggest/acquisition/weighted_gain.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/suggest/gradient_check.h"
#include "tests/suggest/study_examples.h"

namespace vernier {
namespace {

// A gain that is the same everywhere.
class LevelGain final : public AcquisitionFunction {
 public:
  void Evaluate(const Eigen::Ref<const Eigen::MatrixXd>& points,
                Eigen::VectorXd* values,
                Eigen::MatrixXd* gradients) const override {
    values->setConstant(points.rows(), 1.5);
    if (gradients != nullptr) {
      gradients->setZero(points.rows(), points.cols());
    }
  }
};

TEST(WeightedGainTest, TheGainAndTheBoundHaveTheRightGradients) {
  const std::vector<ParameterSpec> space = {
      DoubleParameter("x", 0, 1), DoubleParameter("y", 1, 100, ScaleType::kLog),
      CategoricalParameter("method", 3)};
  const SearchSpaceEncoding encoding(space);
  const BeliefPrior prior({{"x", 0.2, BeliefWidth{0.1, false}},
                           {"y", 20.0, BeliefWidth{2, true}},
                           {"method", "c1", std::nullopt}},
                          encoding);
  Eigen::MatrixXd points(3, 5);
  points << 0.1, 0.7, 0.2, 0.3, 0.1,  //
      0.5, 0.2, 0, 0.7, 0,            //
      0.9, 0.9, 0.6, 0.1, 0.2;
  const LevelGain level;
  ExpectGradients(WeightedLogGain(level, LogWeightOf(prior), 0.7), points);
  ExpectGradients(WeightedBound(level, LogWeightOf(prior), -1, 0.7), points);
}

TEST(WeightedGainTest, WeighsTheGainAndTheLeadByTheDensity) {
  const std::vector<ParameterSpec> space = {DoubleParameter("x", 0, 1)};
  const SearchSpaceEncoding encoding(space);
  const BeliefPrior prior({{"x", 0.25, BeliefWidth{0.25, false}}}, encoding);
  Eigen::MatrixXd points(2, 1);
  points << 0.25, 0.5;
  const LevelGain level;
  Eigen::VectorXd values;
  WeightedLogGain(level, LogWeightOf(prior), 2)
      .Evaluate(points, &values, nullptr);
  EXPECT_NEAR(values[0], 1.5, 1e-9);
  EXPECT_NEAR(values[1], 1.5 + 2 * std::log(0.525), 1e-9);
  WeightedBound(level, LogWeightOf(prior), -1, 2)
      .Evaluate(points, &values, nullptr);
  EXPECT_NEAR(values[0], 1.5, 1e-9);
  EXPECT_NEAR(values[1], -1 + 2.5 * 0.525 * 0.525, 1e-9);
}

}  // namespace
}  // namespace vernier
