#ifndef VERNIER_SUGGEST_ACQUISITION_BELIEVED_GAIN_H_
#define VERNIER_SUGGEST_ACQUISITION_BELIEVED_GAIN_H_

#include <Eigen/Core>

#include "suggest/acquisition/acquisition_function.h"
#include "suggest/space/belief_prior.h"

namespace vernier {

/// The logarithm of a trial's expected gain, times the density of the user's
/// beliefs to the power of `exponent` (Hvarfner et al. 2022, equation 4).
class BelievedLogGain final : public AcquisitionFunction {
 public:
  /// Borrows both.
  BelievedLogGain(const AcquisitionFunction& log_gain,
                  const BeliefPrior& beliefs, double exponent)
      : log_gain_(log_gain), beliefs_(beliefs), exponent_(exponent) {}

  void Evaluate(const Eigen::Ref<const Eigen::MatrixXd>& points,
                Eigen::VectorXd* values,
                Eigen::MatrixXd* gradients) const override;

 private:
  const AcquisitionFunction& log_gain_;
  const BeliefPrior& beliefs_;
  const double exponent_;
};

/// An upper bound on a trial's target, whose lead over `worst` is weighted in
/// the same way.
class BelievedBound final : public AcquisitionFunction {
 public:
  /// Borrows both.
  BelievedBound(const AcquisitionFunction& bound, const BeliefPrior& beliefs,
                double worst, double exponent)
      : bound_(bound), beliefs_(beliefs), worst_(worst), exponent_(exponent) {}

  void Evaluate(const Eigen::Ref<const Eigen::MatrixXd>& points,
                Eigen::VectorXd* values,
                Eigen::MatrixXd* gradients) const override;

 private:
  const AcquisitionFunction& bound_;
  const BeliefPrior& beliefs_;
  const double worst_;
  const double exponent_;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ACQUISITION_BELIEVED_GAIN_H_
