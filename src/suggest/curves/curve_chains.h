#ifndef VERNIER_SUGGEST_CURVES_CURVE_CHAINS_H_
#define VERNIER_SUGGEST_CURVES_CURVE_CHAINS_H_

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "suggest/curves/curve_levels.h"
#include "suggest/curves/curve_transition.h"

namespace vernier {

/// Extrapolates curves level by level with the transitions, each from the level
/// that it has reached: expected values, and the covariance of their errors (Le
/// Gratiet and Garnier 2014, section 3).
///
/// Errors have two parts. The model's own uncertainty is shared by all curves
/// that the model extrapolates; the noise of each change is independent for
/// each curve. Not thread-safe: the caller that predicts owns it.
class CurveChains {
 public:
  explicit CurveChains(Eigen::Index count);

  /// Sets curve `i` to `curve`, the levels that it has reached, which must not
  /// be empty. Curves for which this is not called stay at 0 without an error.
  void Begin(Eigen::Index i, const LevelValues& curve,
             const Eigen::RowVectorXd& input);

  /// Extrapolates each curve from its level to the final value; one transition
  /// per level.
  void AdvanceToTheEnd(const std::vector<CurveTransition>& transitions);

  const Eigen::VectorXd& values() const { return values_; }
  const Eigen::VectorXd& own_variances() const { return own_.here; }
  const Eigen::MatrixXd& shared_covariance() const { return shared_.here; }

 private:
  // Extrapolates the curves that have reached `level` by its transition.
  void Advance(const CurveTransition& transition, std::size_t level);

  // Second moments of the errors at this level and at the one before. `Moments`
  // is a matrix over all curves, or an array with an entry for each.
  template <typename Moments>
  struct ErrorMoments {
    Moments here;
    Moments between;  // Rows: this level; columns: the one before.
    Moments before;
  };

  Eigen::VectorXd values_;
  Eigen::VectorXd last_changes_;
  std::vector<Eigen::RowVectorXd> inputs_;
  std::vector<std::size_t> levels_;
  std::vector<bool> has_begun_;
  ErrorMoments<Eigen::MatrixXd> shared_;
  ErrorMoments<Eigen::VectorXd> own_;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_CURVES_CURVE_CHAINS_H_
