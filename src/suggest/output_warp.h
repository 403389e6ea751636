#ifndef VERNIER_SUGGEST_OUTPUT_WARP_H_
#define VERNIER_SUGGEST_OUTPUT_WARP_H_

#include <Eigen/Core>
#include <optional>
#include <vector>

namespace vernier {

/// Objectives as the model sees them: larger is better, spread about 1, mean 0.
struct WarpedObjectives {
  Eigen::VectorXd targets;  ///< One per input value; finite.
  /// Nothing to learn: every target is 0, because all values are equal or all
  /// are missing.
  bool is_constant = true;
};

/// Maps finite objectives (larger is better; nullopt: infeasible) to targets.
///
/// The order of values is kept (absurd outliers, beyond 10^6 interquartile
/// ranges, tie). The worse half is replaced by normal quantiles of its ranks,
/// so that one disaster does not flatten the model; then a logarithm widens the
/// differences near the best; then infeasible ones are placed below the worst.
/// These are Vizier's half-rank, log and infeasible warps (Song et al. 2024,
/// "The Vizier Gaussian process bandit algorithm"). Pure. O(n log n).
WarpedObjectives WarpObjectives(
    const std::vector<std::optional<double>>& objectives);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_OUTPUT_WARP_H_
