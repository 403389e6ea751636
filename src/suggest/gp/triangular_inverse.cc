#include "suggest/gp/triangular_inverse.h"

namespace vernier {
namespace {

// Below this size plain loops are as fast as blocked products.
constexpr Eigen::Index kBaseSize = 24;

void InvertSmall(Eigen::Ref<Eigen::MatrixXd> matrix) {
  const Eigen::Index n = matrix.rows();
  for (Eigen::Index j = 0; j < n; ++j) {
    matrix(j, j) = 1 / matrix(j, j);
    for (Eigen::Index i = j + 1; i < n; ++i) {
      const double sum =
          matrix.row(i).segment(j, i - j).dot(matrix.col(j).segment(j, i - j));
      matrix(i, j) = -sum / matrix(i, i);
    }
  }
}

void SquareSmall(Eigen::Ref<Eigen::MatrixXd> matrix) {
  const Eigen::Index n = matrix.rows();
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Eigen::Index i = j; i < n; ++i) {
      matrix(i, j) =
          matrix.col(i).segment(i, n - i).dot(matrix.col(j).segment(i, n - i));
    }
  }
}

}  // namespace

void InvertLowerTriangle(Eigen::Ref<Eigen::MatrixXd> matrix) {
  const Eigen::Index n = matrix.rows();
  if (n <= kBaseSize) return InvertSmall(matrix);
  const Eigen::Index half = n / 2;
  const Eigen::Index rest = n - half;
  auto top = matrix.topLeftCorner(half, half);
  auto side = matrix.bottomLeftCorner(rest, half);
  auto bottom = matrix.bottomRightCorner(rest, rest);
  InvertLowerTriangle(top);
  InvertLowerTriangle(bottom);
  Eigen::MatrixXd product(rest, half);
  product.noalias() = side * top.triangularView<Eigen::Lower>();
  side.noalias() = -(bottom.triangularView<Eigen::Lower>() * product);
}

void SquareLowerTriangle(Eigen::Ref<Eigen::MatrixXd> matrix) {
  const Eigen::Index n = matrix.rows();
  if (n <= kBaseSize) return SquareSmall(matrix);
  const Eigen::Index half = n / 2;
  const Eigen::Index rest = n - half;
  auto top = matrix.topLeftCorner(half, half);
  auto side = matrix.bottomLeftCorner(rest, half);
  auto bottom = matrix.bottomRightCorner(rest, rest);
  SquareLowerTriangle(top);
  top.selfadjointView<Eigen::Lower>().rankUpdate(side.transpose());
  Eigen::MatrixXd product(rest, half);
  product.noalias() = bottom.triangularView<Eigen::Lower>().transpose() * side;
  side = product;
  SquareLowerTriangle(bottom);
}

}  // namespace vernier
