#include "suggest/gp/matern_kernel.h"

#include <algorithm>
#include <utility>

namespace vernier {
namespace {

// Columns per block, chosen so that temporaries stay in the second-level cache.
constexpr Eigen::Index kStrip = 16;

// `value` holds squared distances on entry.
template <typename Block>
void ApplyMatern(double signal_variance, Block&& value, Block&& slope) {
  const Eigen::ArrayXXd scaled = (5 * value.array()).max(0.0).sqrt();
  slope.array() = signal_variance * (-scaled).exp();
  value.array() = slope.array() * (1 + scaled * (1 + scaled / 3));
  slope.array() *= (5.0 / 3) * (1 + scaled);
}

}  // namespace

KernelBlock ComputeMatern52(const Eigen::Ref<const Eigen::MatrixXd>& left,
                            const Eigen::Ref<const Eigen::MatrixXd>& right,
                            double signal_variance) {
  KernelBlock block;
  block.value.noalias() = -2 * left * right.transpose();
  const Eigen::VectorXd left_norms = left.rowwise().squaredNorm();
  const Eigen::RowVectorXd right_norms =
      right.rowwise().squaredNorm().transpose();
  block.value.colwise() += left_norms;
  block.value.rowwise() += right_norms;
  block.slope.resizeLike(block.value);
  ApplyMatern<Eigen::MatrixXd&>(signal_variance, block.value, block.slope);
  return block;
}

void ComputeLowerMatern52(const Eigen::Ref<const Eigen::MatrixXd>& inputs,
                          double signal_variance, KernelBlock* block) {
  const Eigen::Index n = inputs.rows();
  block->value.resize(n, n);
  block->slope.resize(n, n);
  const Eigen::VectorXd norms = inputs.rowwise().squaredNorm();
  for (Eigen::Index first = 0; first < n; first += kStrip) {
    const Eigen::Index width = std::min(kStrip, n - first);
    const Eigen::Index rows = n - first;
    auto value = block->value.block(first, first, rows, width);
    value.noalias() = -2 * inputs.bottomRows(rows) *
                      inputs.middleRows(first, width).transpose();
    value.colwise() += norms.tail(rows);
    value.rowwise() += norms.segment(first, width).transpose();
    ApplyMatern(signal_variance, std::move(value),
                block->slope.block(first, first, rows, width));
  }
  block->value.diagonal().setConstant(signal_variance);
  block->slope.diagonal().setConstant(5.0 / 3 * signal_variance);
}

}  // namespace vernier
