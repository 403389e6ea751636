#include "suggest/curves/shared_errors.h"

#include <algorithm>
#include <cmath>

namespace vernier {
namespace {

using Eigen::Index;

// A fraction of the largest variance; the rest counts as independent errors.
constexpr double kSmall = 0.01;

}  // namespace

Eigen::MatrixXd SharedErrors(const Eigen::MatrixXd& covariance) {
  const Index n = covariance.rows();
  const Index most = std::min(n, kMostSharedErrors);
  Eigen::MatrixXd factor(n, most);
  Eigen::VectorXd rest = covariance.diagonal();
  const double largest = n > 0 ? rest.maxCoeff() : 0;
  Index columns = 0;
  for (; columns < most; ++columns) {
    Index pivot = 0;
    const double variance = rest.maxCoeff(&pivot);
    if (!(variance > kSmall * largest)) break;
    const auto done = factor.leftCols(columns);
    const Eigen::VectorXd column =
        (covariance.col(pivot) - done * done.row(pivot).transpose()) /
        std::sqrt(variance);
    factor.col(columns) = column;
    rest -= column.cwiseAbs2();
  }
  return factor.leftCols(columns);
}

}  // namespace vernier
