#ifndef VERNIER_SUGGEST_FRONT_PARETO_FRONT_H_
#define VERNIER_SUGGEST_FRONT_PARETO_FRONT_H_

#include <Eigen/Core>
#include <cstddef>
#include <vector>

namespace vernier {

/// Returns the rows of `merits` that no other row dominates, ascending. A row
/// is one trial's result, n x m in all, finite, and larger is better. One row
/// dominates another if it is at least as good everywhere and better somewhere,
/// so equal rows stay together. O(n f m) for a front of f.
std::vector<Eigen::Index> NondominatedRows(const Eigen::MatrixXd& merits);

/// Returns the same for rows of equal lengths, as positions in `merits`.
std::vector<std::size_t> NondominatedRows(
    const std::vector<std::vector<double>>& merits);

/// Returns the rows that are better than `reference` (m) everywhere and that
/// none of the others dominates.
Eigen::MatrixXd FrontAbove(const Eigen::MatrixXd& merits,
                           const Eigen::RowVectorXd& reference);

/// The volume of fronts of more metrics is estimated.
inline constexpr std::size_t kMostExactMetrics = 4;

/// Returns the volume between `reference` (m) and the rows of `merits` (n x m):
/// the part of the space that some row dominates. Rows that are not better than
/// the reference everywhere add nothing. 0 for no rows; m >= 1. With at most
/// kMostExactMetrics the cost grows with the power m - 1 of the front's size f;
/// with more it is O(f^2 m), and the volume is an estimate from points that are
/// always the same. Its standard error is below an eighth of it for any front,
/// and about one percent for usual ones.
double Hypervolume(const Eigen::MatrixXd& merits,
                   const Eigen::RowVectorXd& reference);
double Hypervolume(const std::vector<std::vector<double>>& merits,
                   const std::vector<double>& reference);

/// Returns the worst values that are still useful, for metrics whose owner has
/// stated none, in the units of `merits` (n x m, n >= 1), which is a front: a
/// tenth of the front's extent below its worst values, or of 1 if it has no
/// extent.
Eigen::RowVectorXd InferReference(const Eigen::MatrixXd& merits);

/// The same for values in a user's units, which may be of any size: where the
/// front has no extent, that of `all` results counts, or else the size of the
/// value. Finite.
std::vector<double> InferReference(
    const std::vector<std::vector<double>>& front,
    const std::vector<std::vector<double>>& all);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_FRONT_PARETO_FRONT_H_
