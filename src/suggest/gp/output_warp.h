#ifndef VERNIER_SUGGEST_GP_OUTPUT_WARP_H_
#define VERNIER_SUGGEST_GP_OUTPUT_WARP_H_

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace vernier {

/// Objectives in the model's units: larger is better, spread about 1, mean 0.
struct WarpedObjectives {
  Eigen::VectorXd targets;  ///< One per input value; finite.
  /// There is nothing to learn: every target is 0, because all values are equal
  /// or all are missing.
  bool is_constant = true;
  /// The feasible (objective, target) pairs by ascending objective, distinct.
  std::vector<std::pair<double, double>> knots;
  double zero = 0;  ///< The target of a value of 0; with kSlack only.

  /// Returns the objective at `target`: linear between knots, constant below
  /// the worst, and beyond the best extrapolated from the best two. Needs a
  /// knot.
  double Unwarp(double target) const;

  /// Returns the target at a finite `objective`; the inverse of Unwarp.
  double Warp(double objective) const;

  /// Returns d target / d objective near `objective`; >= 0. 0 if there are
  /// fewer than two knots.
  double Slope(double objective) const;
};

/// Defines the worse half of the values, whose differences hardly count.
enum class WarpReference {
  /// Values below the median. The more a search refines, the finer are the
  /// differences that the model sees.
  kAll,
  /// Values below that and below the median of the first kNumFirstValues, which
  /// were spread over the space. The exploration model uses it when a search
  /// only refines.
  kFirst,
  /// There is no worse half: the values are slacks of a constraint, of which
  /// the sign matters, and the size near 0. They are replaced by
  /// sign(v) ln(1 + |v| / s), with the median of the absolute values for s
  /// (Eriksson and Poloczek 2021, "Scalable constrained Bayesian
  /// optimization").
  kSlack,
};
inline constexpr std::size_t kNumFirstValues = 10;

/// Maps finite objectives (larger is better; nullopt: infeasible) to targets.
///
/// The order of values is kept (absurd outliers, beyond 10^6 interquartile
/// ranges, tie). The worse half is replaced by normal quantiles of its ranks,
/// so that one disaster does not flatten the model. A logarithm then widens the
/// differences near the best, and infeasible values are placed below the worst.
/// These are Vizier's half-rank, log and infeasible warps (Song et al. 2024,
/// "The Vizier Gaussian process bandit algorithm"). If `least_useful` is given,
/// the worse half shrinks to the values below it. Pure. O(n log n).
WarpedObjectives WarpObjectives(
    const std::vector<std::optional<double>>& objectives,
    WarpReference reference = WarpReference::kAll,
    std::optional<double> least_useful = std::nullopt);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_OUTPUT_WARP_H_
