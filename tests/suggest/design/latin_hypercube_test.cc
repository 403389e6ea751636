#include "suggest/design/latin_hypercube.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/rng.h"

namespace vernier {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

TEST(LatinHypercubeTest, EveryCellOfEveryCoordinateHasOneValue) {
  std::mt19937_64 rng = MakeRng(3, 1);
  const MatrixXd points = LatinHypercube(100, 5, rng);
  for (Index j = 0; j < 5; ++j) {
    Eigen::VectorXd column = points.col(j);
    std::sort(column.begin(), column.end());
    for (Index i = 0; i < 100; ++i) {
      EXPECT_EQ(std::floor(100 * column[i]), static_cast<double>(i));
    }
  }
}

// The largest correlation of 4,950 pairs, each of standard deviation 1/32.
TEST(LatinHypercubeTest, CoordinatesDoNotDependOnEachOther) {
  std::mt19937_64 rng = MakeRng(4, 1);
  const MatrixXd points = LatinHypercube(1024, 100, rng);
  const MatrixXd centred = points.array() - 0.5;
  MatrixXd correlations = 12.0 / 1024 * centred.transpose() * centred;
  correlations.diagonal().setZero();
  EXPECT_LT(correlations.cwiseAbs().maxCoeff(), 0.15);
}

TEST(LatinHypercubeTest, HasOneOrNoPoint) {
  std::mt19937_64 rng = MakeRng(5, 1);
  EXPECT_EQ(LatinHypercube(1, 3, rng).rows(), 1);
  EXPECT_EQ(LatinHypercube(0, 3, rng).rows(), 0);
}

}  // namespace
}  // namespace vernier
