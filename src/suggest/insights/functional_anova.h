#ifndef VERNIER_SUGGEST_INSIGHTS_FUNCTIONAL_ANOVA_H_
#define VERNIER_SUGGEST_INSIGHTS_FUNCTIONAL_ANOVA_H_

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace vernier {

/// One input of a function, at the N points where it was evaluated.
struct AnovaAxis {
  /// N positions in (0, 1), evenly spread; for a function of a number.
  Eigen::VectorXd unit;
  /// N levels from 0, for a function of one of few values; or empty.
  std::vector<std::int64_t> levels;
  std::int64_t num_levels = 0;
};

/// The first part of a decomposition of s functions at N points.
struct MainEffects {
  Eigen::MatrixXd shares;     ///< d x s, of each function's variance, 0 to 1.
  Eigen::VectorXd variances;  ///< s.
  Eigen::MatrixXd residuals;  ///< N x s: less the mean and the main effects.
};

/// Decomposes functions of independent, uniform inputs into main effects and
/// interactions of pairs (Sobol' 1993; Hoeffding 1948): the share of an input
/// is Var(E[f | input]) / Var(f).
///
/// Each effect is projected onto a basis by quasi-regression (An and Owen
/// 2001): normalized Legendre polynomials for a number, an indicator of each
/// level for other axes. The part of a squared coefficient that is due to
/// chance is subtracted. Immutable, so thread-safe.
class FunctionalAnova {
 public:
  /// All axes have the same N >= 1.
  explicit FunctionalAnova(std::vector<AnovaAxis> axes);

  /// Main effects of the columns of `values` (N x s). A constant function has
  /// only zeros. O(N d s).
  MainEffects EstimateMain(const Eigen::MatrixXd& values) const;

  /// Returns the share of the interaction of two different axes in the variance
  /// of the first of the functions in `main`. 0 if an axis has too many levels.
  double PairShare(const MainEffects& main, std::size_t first,
                   std::size_t second) const;

 private:
  bool IsGrouped(std::size_t axis) const { return !axes_[axis].levels.empty(); }
  // Subtracts one axis's effect from `residuals` and adds it to its
  // coefficients.
  void Project(std::size_t axis, Eigen::MatrixXd* residuals,
               Eigen::MatrixXd* coefficients) const;
  // Fits main effects to the functions of mean 0 in `main->residuals` and
  // subtracts them there. Returns d matrices of coefficients.
  std::vector<Eigen::MatrixXd> ProjectTogether(MainEffects* main) const;
  // The same, but fits each axis by itself. Only notable effects are subtracted
  // from `residuals`.
  std::vector<Eigen::MatrixXd> ProjectApart(MainEffects* main) const;
  Eigen::Index NumCoefficients(std::size_t axis) const;
  // Returns the number of coefficients beside the mean.
  double Freedom(std::size_t axis) const;
  // Returns N x p functions of the axis, orthonormal over the points.
  Eigen::MatrixXd PairBasis(std::size_t axis) const;

  std::vector<AnovaAxis> axes_;
  std::vector<Eigen::MatrixXd> polynomials_;  // N x degree; empty if grouped.
  std::vector<Eigen::VectorXd> counts_;       // Points at each level.
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_INSIGHTS_FUNCTIONAL_ANOVA_H_
