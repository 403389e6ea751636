#ifndef VERNIER_SUGGEST_ACQUISITION_CONSTRAINED_GAIN_H_
#define VERNIER_SUGGEST_ACQUISITION_CONSTRAINED_GAIN_H_

#include <Eigen/Core>
#include <limits>
#include <vector>

#include "suggest/acquisition/acquisition_function.h"
#include "suggest/gp/marginal_score.h"

namespace vernier {

/// Returns ln P(f >= threshold) for f ~ N(mean, variance), `variance` > 0.
/// Finite and increasing in the mean however far the threshold is.
MarginalScore ComputeLogProbabilityAbove(double mean, double variance,
                                         double threshold);

/// Returns ln P(low <= f <= high) for f ~ N(mean, variance), `variance` > 0 and
/// `low` < `high`. Finite however far and however narrow the band is; outside
/// of it, it rises towards the nearer bound.
MarginalScore ComputeLogProbabilityWithin(double mean, double variance,
                                          double low, double high);

/// The logarithm of a trial's expected gain if it counts only where it meets
/// all constraints: `log_gain` plus the log-probabilities of meeting each
/// constraint (Gardner et al. 2014, "Bayesian optimization with inequality
/// constraints"). Without a gain, while nothing is known to meet them, the
/// log-probabilities alone.
class LogConstrainedGain final : public AcquisitionFunction {
 public:
  struct Constraint {
    const GaussianProcess* slack;  ///< Borrowed.
    /// Met from `low` to `high`, in its targets. `high` is infinite if there is
    /// one bound. A band narrower than rounding counts by the density there.
    double low;
    double high = std::numeric_limits<double>::infinity();
  };

  /// Borrows `log_gain`, which may be null.
  LogConstrainedGain(const AcquisitionFunction* log_gain,
                     std::vector<Constraint> constraints);

  void Evaluate(const Eigen::Ref<const Eigen::MatrixXd>& points,
                Eigen::VectorXd* values,
                Eigen::MatrixXd* gradients) const override;

 private:
  const AcquisitionFunction* const log_gain_;
  const std::vector<Constraint> constraints_;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ACQUISITION_CONSTRAINED_GAIN_H_
