#include "suggest/stopping/front_chance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace vernier {
namespace {

FreeBoxes FreeAbove(const Eigen::MatrixXd& front) {
  return DecomposeFree(
      front, Eigen::RowVectorXd::Constant(front.cols(),
                                          -std::numeric_limits<double>::max()));
}

// The share of draws that no row of the front dominates.
double DrawnChance(const Eigen::MatrixXd& front,
                   const std::vector<NormalValue>& finals, int draws) {
  std::mt19937 rng(3);
  std::student_t_distribution<double> student(4);
  int entered = 0;
  for (int i = 0; i < draws; ++i) {
    Eigen::RowVectorXd drawn(front.cols());
    for (Eigen::Index k = 0; k < front.cols(); ++k) {
      const NormalValue& final = finals[static_cast<std::size_t>(k)];
      drawn[k] = final.mean + std::sqrt(final.variance) * student(rng);
    }
    bool is_dominated = false;
    for (const auto& row : front.rowwise()) {
      is_dominated = is_dominated || (row.array() >= drawn.array()).all();
    }
    entered += is_dominated ? 0 : 1;
  }
  return static_cast<double>(entered) / draws;
}

TEST(ChanceToEnterTest, AgreesWithDrawsForTwoToFourMetrics) {
  constexpr int kDraws = 200000;
  std::mt19937 rng(5);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (Eigen::Index metrics = 2; metrics <= 4; ++metrics) {
    for (int repeat = 0; repeat < 4; ++repeat) {
      Eigen::MatrixXd front(6, metrics);
      for (double& value : front.reshaped()) value = uniform(rng);
      std::vector<NormalValue> finals;
      for (Eigen::Index k = 0; k < metrics; ++k) {
        finals.push_back({0.8 * uniform(rng), 0.3 * uniform(rng)});
      }
      const double drawn = DrawnChance(front, finals, kDraws);
      EXPECT_NEAR(ChanceToEnter(FreeAbove(front), finals), drawn,
                  5 * std::sqrt(0.25 / kDraws))
          << metrics << " metrics";
    }
  }
}

TEST(ChanceToEnterTest, OneMetricIsTheChanceToBeatTheBest) {
  const Eigen::MatrixXd front = Eigen::MatrixXd::Constant(1, 1, 2.0);
  EXPECT_DOUBLE_EQ(ChanceToEnter(FreeAbove(front), {{2, 1}}), 0.5);
}

TEST(ChanceToEnterTest, ASmallChanceIsExact) {
  const Eigen::MatrixXd front = Eigen::MatrixXd::Constant(1, 2, 1e4);
  const double chance = ChanceToEnter(FreeAbove(front), {{0, 1}, {0, 1}});
  EXPECT_GT(chance, 0);
  EXPECT_LT(chance, 1e-14);
}

}  // namespace
}  // namespace vernier
