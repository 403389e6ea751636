#ifndef VERNIER_SUGGEST_ACQUISITION_WEIGHTED_GAIN_H_
#define VERNIER_SUGGEST_ACQUISITION_WEIGHTED_GAIN_H_

#include <Eigen/Core>
#include <functional>
#include <utility>

#include "suggest/acquisition/acquisition_function.h"
#include "suggest/gp/duration_model.h"
#include "suggest/gp/feasibility_model.h"
#include "suggest/space/belief_prior.h"

namespace vernier {

/// The logarithm of a positive weight of a trial at each of the m points
/// (m x D). Sets `logs` (m) and, unless null, `gradients` (m x D).
using LogWeight =
    std::function<void(const Eigen::Ref<const Eigen::MatrixXd>& points,
                       Eigen::VectorXd* logs, Eigen::MatrixXd* gradients)>;

/// The usual exponent of the probability of success. It counts once because a
/// failure gains nothing. It counts again because a failure beside a good place
/// teaches less than a neighbouring success, and because users do not want
/// trials that fail.
inline constexpr double kUsualCaution = 2;

// Each function borrows its model.

/// Returns the density of the user's beliefs. To the power of an exponent it
/// weighs a gain as in Hvarfner et al. 2022, equation 4.
LogWeight LogWeightOf(const BeliefPrior& beliefs);

/// Returns the probability of success, which weighs the gain of a trial that
/// may fail. The exponent is the caution.
LogWeight LogWeightOf(const FeasibilityModel& feasibility);

/// Returns the duration that the model expects. The gain per second (Snoek et
/// al. 2012, "Practical Bayesian optimization of machine learning algorithms",
/// section 3.2) has the exponent -1. An exponent that rises from -1 to 0 as a
/// budget is used up is the cost cooling of Lee et al. 2020, "Cost-aware
/// Bayesian optimization".
LogWeight LogWeightOf(const DurationModel& durations);

/// The logarithm of a trial's expected gain, times weight^exponent: `log_gain`
/// plus the exponent times the weight's logarithm.
class WeightedLogGain final : public AcquisitionFunction {
 public:
  /// Borrows `log_gain`.
  WeightedLogGain(const AcquisitionFunction& log_gain, LogWeight weight,
                  double exponent)
      : log_gain_(log_gain), weight_(std::move(weight)), exponent_(exponent) {}

  void Evaluate(const Eigen::Ref<const Eigen::MatrixXd>& points,
                Eigen::VectorXd* values,
                Eigen::MatrixXd* gradients) const override;

 private:
  const AcquisitionFunction& log_gain_;
  const LogWeight weight_;
  const double exponent_;
};

/// An upper bound on a trial's target, whose lead over `worst` is weighted in
/// the same way: worst + weight^exponent (bound - worst).
class WeightedBound final : public AcquisitionFunction {
 public:
  /// Borrows `bound`.
  WeightedBound(const AcquisitionFunction& bound, LogWeight weight,
                double worst, double exponent)
      : bound_(bound),
        weight_(std::move(weight)),
        worst_(worst),
        exponent_(exponent) {}

  void Evaluate(const Eigen::Ref<const Eigen::MatrixXd>& points,
                Eigen::VectorXd* values,
                Eigen::MatrixXd* gradients) const override;

 private:
  const AcquisitionFunction& bound_;
  const LogWeight weight_;
  const double worst_;
  const double exponent_;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ACQUISITION_WEIGHTED_GAIN_H_
