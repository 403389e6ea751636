#include "suggest/curves/curve_chains.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/suggest/curves/transition_examples.h"

namespace vernier {
namespace {

constexpr std::size_t kLevels = 4;

CurveTransition TransitionOf(int n, std::uint64_t seed) {
  return *CurveTransition::Create(RandomTransition(n, seed, 0), {0.5, 0.5, 0.1},
                                  0.3);
}

std::vector<CurveTransition> Transitions() {
  std::vector<CurveTransition> transitions;
  for (std::size_t level = 0; level < kLevels; ++level) {
    transitions.push_back(TransitionOf(9, 7 + level));
  }
  return transitions;
}

// How much of an error of the change after level `k` is left in the final
// value, from the end backwards: in place of second moments, weights.
std::vector<double> WeightsOfErrors(
    const std::vector<CurveTransition>& transitions) {
  std::vector<double> weights(transitions.size());
  for (std::size_t k = 0; k < transitions.size(); ++k) {
    double before = 0;
    double here = 1;
    for (std::size_t level = k + 1; level < transitions.size(); ++level) {
      const double c = transitions[level].part_of_last_change();
      const double next =
          (1 + c + transitions[level].part_of_value()) * here - c * before;
      before = here;
      here = next;
    }
    weights[k] = here;
  }
  return weights;
}

TEST(CurveChainsTest, ErrorsAddUpAsTheirWeightsSay) {
  const std::vector<CurveTransition> transitions = Transitions();
  const std::vector<double> weights = WeightsOfErrors(transitions);
  const std::vector<LevelValues> curves = {{0, {1.0}}, {0, {0.9, 0.5, 0.4}}};
  Eigen::MatrixXd inputs(2, 2);
  inputs << 0.2, 0.3, 0.3, 0.4;
  CurveChains chains(3);
  chains.Begin(0, curves[0], inputs.row(0));
  chains.Begin(2, curves[1], inputs.row(1));
  chains.AdvanceToTheEnd(transitions);

  // Level by level, by hand.
  Eigen::Vector2d values(1.0, 0.4);
  Eigen::Vector2d last(0.0, -0.1);
  Eigen::Matrix2d shared = Eigen::Matrix2d::Zero();
  Eigen::Vector2d own = Eigen::Vector2d::Zero();
  for (std::size_t level = 0; level < kLevels; ++level) {
    const auto changes =
        transitions[level].PredictTogether(inputs, values, last);
    const double weight = weights[level] * weights[level];
    for (int i = 0; i < 2; ++i) {
      if (i == 1 && level < 2) continue;  // It had come to level 2 already.
      values[i] += changes.means[i];
      last[i] = changes.means[i];
      own[i] += weight * transitions[level].noise_variance();
      shared(i, i) += weight * changes.covariance(i, i);
      if (level >= 2 && i == 0) {
        shared(0, 1) += weight * changes.covariance(0, 1);
      }
    }
  }
  EXPECT_NEAR(chains.values()[0], values[0], 1e-9);
  EXPECT_NEAR(chains.values()[2], values[1], 1e-9);
  EXPECT_NEAR(chains.own_variances()[0], own[0], 1e-9);
  EXPECT_NEAR(chains.own_variances()[2], own[1], 1e-9);
  EXPECT_NEAR(chains.shared_covariance()(0, 0), shared(0, 0), 1e-9);
  EXPECT_NEAR(chains.shared_covariance()(2, 2), shared(1, 1), 1e-9);
  EXPECT_NEAR(chains.shared_covariance()(0, 2), shared(0, 1), 1e-9);
  EXPECT_NE(shared(0, 1), 0);
}

TEST(CurveChainsTest, ACurveThatDidNotBeginHasNoError) {
  CurveChains chains(2);
  chains.Begin(0, {0, {1.0}}, Eigen::RowVector2d(0.2, 0.3));
  chains.AdvanceToTheEnd(Transitions());
  EXPECT_EQ(chains.values()[1], 0);
  EXPECT_EQ(chains.own_variances()[1], 0);
  EXPECT_TRUE(chains.shared_covariance().row(1).isZero(0));
}

}  // namespace
}  // namespace vernier
