#include "suggest/matern_kernel.h"

namespace vernier {
namespace {

// `block.value` holds squared distances on entry.
void ApplyMatern(double signal_variance, KernelBlock* block) {
  Eigen::ArrayXXd scaled = (5 * block->value.array()).max(0.0).sqrt();
  block->slope = (signal_variance * (-scaled).exp()).matrix();
  block->value =
      (block->slope.array() * (1 + scaled * (1 + scaled / 3))).matrix();
  block->slope.array() *= (5.0 / 3) * (1 + scaled);
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
  ApplyMatern(signal_variance, &block);
  return block;
}

KernelBlock ComputeMatern52(const Eigen::Ref<const Eigen::MatrixXd>& inputs,
                            double signal_variance) {
  KernelBlock block = ComputeMatern52(inputs, inputs, signal_variance);
  block.value.diagonal().setConstant(signal_variance);
  block.slope.diagonal().setConstant(5.0 / 3 * signal_variance);
  return block;
}

}  // namespace vernier
