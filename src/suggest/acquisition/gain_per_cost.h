#ifndef VERNIER_SUGGEST_ACQUISITION_GAIN_PER_COST_H_
#define VERNIER_SUGGEST_ACQUISITION_GAIN_PER_COST_H_

#include <Eigen/Core>

#include "suggest/acquisition/acquisition_function.h"
#include "suggest/gp/duration_model.h"

namespace vernier {

/// The logarithm of a trial's expected gain per second (Snoek et al. 2012,
/// "Practical Bayesian optimization of machine learning algorithms", section
/// 3.2): `log_gain` less `weight` times the expected logarithm of the duration.
/// A weight that falls from 1 to 0 as a budget is used up is the cost cooling
/// of Lee et al. 2020, "Cost-aware Bayesian optimization".
class LogGainPerCost final : public AcquisitionFunction {
 public:
  /// Borrows both. `weight` is in [0, 1].
  LogGainPerCost(const AcquisitionFunction& log_gain,
                 const DurationModel& durations, double weight)
      : log_gain_(log_gain), durations_(durations), weight_(weight) {}

  void Evaluate(const Eigen::Ref<const Eigen::MatrixXd>& points,
                Eigen::VectorXd* values,
                Eigen::MatrixXd* gradients) const override;

 private:
  const AcquisitionFunction& log_gain_;
  const DurationModel& durations_;
  const double weight_;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ACQUISITION_GAIN_PER_COST_H_
