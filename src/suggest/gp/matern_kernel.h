#ifndef VERNIER_SUGGEST_GP_MATERN_KERNEL_H_
#define VERNIER_SUGGEST_GP_MATERN_KERNEL_H_

#include <Eigen/Core>

namespace vernier {

/// Matern-5/2 kernel between rows of two scaled inputs (divided by their length
/// scales), k(r) = s2 (1 + sqrt5 r + 5 r^2 / 3) exp(-sqrt5 r).
struct KernelBlock {
  Eigen::MatrixXd value;  ///< k.
  /// E = -2 dk/d(r^2) = (5/3) s2 (1 + sqrt5 r) exp(-sqrt5 r). Every gradient of
  /// k is a product with E, so nothing is divided by r, which may be 0.
  Eigen::MatrixXd slope;
};

/// `left` is n x D, `right` is m x D; the blocks are n x m. Squared distances
/// come from one matrix product and are clamped at 0. The kernel is smooth in
/// them, so their cancellation costs only rounding. O(n m D).
KernelBlock ComputeMatern52(const Eigen::Ref<const Eigen::MatrixXd>& left,
                            const Eigen::Ref<const Eigen::MatrixXd>& right,
                            double signal_variance);

/// The lower triangles of the same for `left` = `right`, with exactly k(0) and
/// E(0) on the diagonal; the part above is unspecified. `block` may be the
/// result of an earlier call; its memory is then reused.
void ComputeLowerMatern52(const Eigen::Ref<const Eigen::MatrixXd>& inputs,
                          double signal_variance, KernelBlock* block);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_MATERN_KERNEL_H_
