#ifndef VERNIER_SUGGEST_ACQUISITION_GAIN_PER_TRAINING_H_
#define VERNIER_SUGGEST_ACQUISITION_GAIN_PER_TRAINING_H_

#include <Eigen/Core>

#include "suggest/acquisition/acquisition_function.h"
#include "suggest/gp/gaussian_process.h"

namespace vernier {

/// What part of a whole training a trial takes in the mean that improves on
/// `best` with the probability of N(mean, variance), where others are stopped
/// after `stopped_part` of it; and its derivatives.
struct ExpectedPart {
  double value = 1;
  double d_mean = 0;
  double d_variance = 0;
};

/// `stopped_part` is in (0, 1], `variance` > 0.
ExpectedPart ComputeExpectedPart(double mean, double variance, double best,
                                 double stopped_part);

/// The logarithm of what a trial is expected to gain per whole training: log
/// expected improvement, over the best posterior mean at a data point plus a
/// margin, less the logarithm of the part of a training that it takes. The
/// trials that a stopping rule cuts short are cheap, so a place that seldom
/// holds a winner, but then a great one, is worth a look: the gain by cost of
/// Snoek et al. 2012 ("Practical Bayesian optimization of machine learning
/// algorithms", section 3.2), where the cost follows from the improvement.
class LogGainPerTraining final : public AcquisitionFunction {
 public:
  /// `gp` is borrowed. `stopped_part` is in (0, 1]; with 1 this is
  /// LogEiAcquisition.
  LogGainPerTraining(const GaussianProcess& gp, double stopped_part,
                     double margin = 0)
      : gp_(gp),
        best_(gp.fitted_means().maxCoeff() + margin),
        stopped_part_(stopped_part) {}

  void Evaluate(const Eigen::Ref<const Eigen::MatrixXd>& points,
                Eigen::VectorXd* values,
                Eigen::MatrixXd* gradients) const override;

 private:
  const GaussianProcess& gp_;
  const double best_;
  const double stopped_part_;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ACQUISITION_GAIN_PER_TRAINING_H_
