#ifndef VERNIER_SUGGEST_CURVES_SHARED_ERRORS_H_
#define VERNIER_SUGGEST_CURVES_SHARED_ERRORS_H_

#include <Eigen/Core>

namespace vernier {

/// Few columns F with F F' close to an n x n `covariance`, never above it: a
/// Cholesky decomposition that takes the largest remaining variance first and
/// ends after kMostSharedErrors, or when what remains of every variance is
/// small. n x 0 if there is no variance. O(n).
Eigen::MatrixXd SharedErrors(const Eigen::MatrixXd& covariance);

inline constexpr Eigen::Index kMostSharedErrors = 16;

}  // namespace vernier

#endif  // VERNIER_SUGGEST_CURVES_SHARED_ERRORS_H_
