#ifndef VERNIER_SUGGEST_GP_OUTPUT_WARP_H_
#define VERNIER_SUGGEST_GP_OUTPUT_WARP_H_

#include <Eigen/Core>
#include <cstddef>
#include <limits>
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
  /// The target of a slack of 0; with kSlack only.
  double zero = 0;
  /// With a band, for which `zero` is the target of the lower bound: that of
  /// the upper one. Otherwise infinite.
  double upper = std::numeric_limits<double>::infinity();

  /// Returns the objective at `target`: linear between knots, constant below
  /// the worst, and beyond the best extrapolated from the best two. Needs a
  /// knot.
  double Unwarp(double target) const;

  /// Returns the best objective that a prediction may name. Beyond the best
  /// value there are no data, and the line through the best two knots may be so
  /// steep that it leaves the world of the values. So it is twice as far beyond
  /// the best as the median knot is on the other side, but not past 0 if no
  /// value is, since a metric of one sign seldom has another. Needs a knot.
  double Furthest() const;

  /// Returns the target at a finite `objective`; the inverse of Unwarp.
  double Warp(double objective) const;

  /// Returns d target / d objective near `objective`; >= 0. 0 if there are
  /// fewer than two knots.
  double Slope(double objective) const;
};

/// Defines the worse part of the values, whose differences hardly count, and
/// what becomes of the better part.
enum class WarpReference {
  /// Values below the median. The more a search refines, the finer are the
  /// differences that the model sees.
  kAll,
  /// Values below that and below the median of the first kNumFirstValues, which
  /// were spread over the space. The exploration model uses it when a search
  /// only refines.
  kFirst,
  /// Values below the median or, if there is one, below `least_useful` if that
  /// is worse. They fall with the logarithm of their distance from it only. The
  /// better part keeps its proportions, because the values that count are not
  /// the best of all: they lie on a front or at the border of a constraint.
  /// Targets have a standard deviation of 1.
  kUseful,
  /// There is no worse part: the values are slacks of a constraint, of which
  /// the sign matters. They keep their proportions, but for the farthest: those
  /// larger than kMostSlackSizes times the median size of the first
  /// kNumFirstValues grow with their logarithm only. The targets' root mean
  /// square distance from `zero` is 1. With a band, the values are distances
  /// from its middle, and their slack is that of the nearer bound.
  kSlack,
};
inline constexpr std::size_t kNumFirstValues = 10;
inline constexpr double kMostSlackSizes = 10;

/// Maps finite objectives (larger is better; nullopt: infeasible) to targets.
///
/// The order of values is kept (absurd outliers, beyond 10^6 interquartile
/// ranges, tie). The worse half is replaced by normal quantiles of its ranks,
/// so that one disaster does not flatten the model. A logarithm then widens the
/// differences near the best, and infeasible values are placed below the worst.
/// These are Vizier's half-rank, log and infeasible warps (Song et al. 2024,
/// "The Vizier Gaussian process bandit algorithm"). If `least_useful` is given,
/// the worse half shrinks to the values below it. `half_band`, >= 0, is half
/// the width of the band that kSlack's values are about, if there is one. Pure.
/// O(n log n).
WarpedObjectives WarpObjectives(
    const std::vector<std::optional<double>>& objectives,
    WarpReference reference = WarpReference::kAll,
    std::optional<double> least_useful = std::nullopt,
    std::optional<double> half_band = std::nullopt);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_OUTPUT_WARP_H_
