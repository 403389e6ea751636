#ifndef VERNIER_SUGGEST_ACQUISITION_FEASIBLE_ACQUISITION_H_
#define VERNIER_SUGGEST_ACQUISITION_FEASIBLE_ACQUISITION_H_

#include <Eigen/Core>

#include "suggest/acquisition/acquisition_function.h"
#include "suggest/gp/feasibility_model.h"

namespace vernier {

/// The usual weight of the log-probability of success. It counts once because a
/// failure gains nothing. It counts again because a failure beside a good place
/// teaches less than a neighbouring success, and because users do not want
/// trials that fail.
inline constexpr double kUsualCaution = 2;

/// The logarithm of a trial's expected gain if it may fail: `log_gain` plus
/// `caution` times the log-probability of success.
class FeasibleLogGain final : public AcquisitionFunction {
 public:
  /// Borrows both.
  FeasibleLogGain(const AcquisitionFunction& log_gain,
                  const FeasibilityModel& feasibility,
                  double caution = kUsualCaution)
      : log_gain_(log_gain), feasibility_(feasibility), caution_(caution) {}

  void Evaluate(const Eigen::Ref<const Eigen::MatrixXd>& points,
                Eigen::VectorXd* values,
                Eigen::MatrixXd* gradients) const override;

 private:
  const AcquisitionFunction& log_gain_;
  const FeasibilityModel& feasibility_;
  const double caution_;
};

/// An upper bound on a trial's target if it may fail, weighted in the same way:
/// worst + P^caution (bound - worst).
class FeasibleBound final : public AcquisitionFunction {
 public:
  /// Borrows both.
  FeasibleBound(const AcquisitionFunction& bound,
                const FeasibilityModel& feasibility, double worst,
                double caution = kUsualCaution)
      : bound_(bound),
        feasibility_(feasibility),
        worst_(worst),
        caution_(caution) {}

  void Evaluate(const Eigen::Ref<const Eigen::MatrixXd>& points,
                Eigen::VectorXd* values,
                Eigen::MatrixXd* gradients) const override;

 private:
  const AcquisitionFunction& bound_;
  const FeasibilityModel& feasibility_;
  const double worst_;
  const double caution_;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ACQUISITION_FEASIBLE_ACQUISITION_H_
