#ifndef VERNIER_SUGGEST_ACQUISITION_ACQUISITION_FUNCTION_H_
#define VERNIER_SUGGEST_ACQUISITION_ACQUISITION_FUNCTION_H_

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "suggest/gp/gaussian_process.h"

namespace vernier {

/// The value of a trial at a point. It is computed for many points at once,
/// because a batch shares its matrix products, which is several times faster.
class AcquisitionFunction {
 public:
  virtual ~AcquisitionFunction() = default;

  /// `points` is m x D. Sets `values` (m, finite) and, unless null, `gradients`
  /// (m x D).
  virtual void Evaluate(const Eigen::Ref<const Eigen::MatrixXd>& points,
                        Eigen::VectorXd* values,
                        Eigen::MatrixXd* gradients) const = 0;
};

/// Log expected improvement, over the best posterior mean at a data point plus
/// a margin.
///
/// Where a stopping rule cuts trials short, it is the improvement per whole
/// training: the log of the fraction of a training that the trial is expected
/// to take (ComputeExpectedPart) is subtracted. A place that seldom holds a
/// winner, but then a great one, is worth trying if a loser is cheap. This is
/// the gain by cost of Snoek et al. 2012 ("Practical Bayesian optimization of
/// machine learning algorithms", section 3.2), where the cost follows from the
/// improvement.
class LogEiAcquisition final : public AcquisitionFunction {
 public:
  /// `gp` is borrowed. A `margin` > 0 makes small improvements worthless, which
  /// moves the search away from a place that is known well. `stopped_part`, in
  /// (0, 1], is the fraction of a training after which losers are stopped.
  explicit LogEiAcquisition(const GaussianProcess& gp, double margin = 0,
                            double stopped_part = 1)
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

/// Standard deviations of the confidence bound, by the trial's number, so that
/// parallel workers divide refining and exploring among them.
inline constexpr double kBoundDeviations[] = {0.3, 1.0, 1.8};

inline double BoundDeviations(std::int64_t trial) {
  return kBoundDeviations[static_cast<std::size_t>(trial) %
                          std::size(kBoundDeviations)];
}

/// Mean plus some standard deviations. It is used while trials are pending;
/// Hallucinate has conditioned `gp` on their places (as in Desautels et al.
/// 2014).
class UpperConfidenceBound final : public AcquisitionFunction {
 public:
  /// `gp` is borrowed. More `deviations` (> 0) explore more.
  UpperConfidenceBound(const GaussianProcess& gp, double deviations)
      : gp_(gp), deviations_(deviations) {}

  void Evaluate(const Eigen::Ref<const Eigen::MatrixXd>& points,
                Eigen::VectorXd* values,
                Eigen::MatrixXd* gradients) const override;

 private:
  const GaussianProcess& gp_;
  const double deviations_;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ACQUISITION_ACQUISITION_FUNCTION_H_
