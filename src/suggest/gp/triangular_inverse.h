#ifndef VERNIER_SUGGEST_GP_TRIANGULAR_INVERSE_H_
#define VERNIER_SUGGEST_GP_TRIANGULAR_INVERSE_H_

#include <Eigen/Core>

namespace vernier {

/// Replaces the lower triangle L of a square matrix by that of L^-1; the strict
/// upper triangle is neither read nor written. It takes n^3 / 3 operations as
/// matrix products; solving for the identity takes more than twice as long. The
/// diagonal must have no 0.
void InvertLowerTriangle(Eigen::Ref<Eigen::MatrixXd> matrix);

/// Replaces the lower triangle M of a square matrix by that of M' M, in the
/// same way. With M = L^-1 the result is the inverse of L L'.
void SquareLowerTriangle(Eigen::Ref<Eigen::MatrixXd> matrix);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_TRIANGULAR_INVERSE_H_
