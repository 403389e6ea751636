#ifndef VERNIER_SUGGEST_CURVES_SHARED_ERRORS_H_
#define VERNIER_SUGGEST_CURVES_SHARED_ERRORS_H_

#include <Eigen/Core>

namespace vernier {

/// Returns a matrix F of few columns with F F' close to an n x n `covariance`,
/// never above it: a Cholesky decomposition that takes the largest remaining
/// variance first and ends after kMostSharedErrors, or when all remaining
/// variances are small. n x 0 if there is no variance. O(n).
Eigen::MatrixXd SharedErrors(const Eigen::MatrixXd& covariance);

inline constexpr Eigen::Index kMostSharedErrors = 16;

}  // namespace vernier

#endif  // VERNIER_SUGGEST_CURVES_SHARED_ERRORS_H_
