#ifndef VERNIER_SUGGEST_ACQUISITION_HYPERVOLUME_IMPROVEMENT_H_
#define VERNIER_SUGGEST_ACQUISITION_HYPERVOLUME_IMPROVEMENT_H_

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "suggest/acquisition/acquisition_function.h"
#include "suggest/front/free_boxes.h"

namespace vernier {

/// With more metrics than this there are too many boxes.
inline constexpr std::size_t kMostFrontMetrics = 4;

/// A function of the posterior marginals of all metrics at one point, with its
/// derivatives; an entry for each metric.
struct JointScore {
  explicit JointScore(std::size_t num_metrics)
      : d_mean(num_metrics, 0), d_variance(num_metrics, 0) {}

  double value = 0;
  std::vector<double> d_mean;
  std::vector<double> d_variance;
};

/// Returns the logarithm of the volume that a trial is expected to add to the
/// front whose free boxes are given. The metrics are independent, the k-th with
/// the distribution N(means[k], variances[k]). `means` and `variances` have as
/// many entries as there are metrics, 1 to kMostFrontMetrics; variances > 0.
///
/// Exact: the expected part of a box that a trial dominates is a product, over
/// the metrics, of the difference of two expected improvements (Emmerich et al.
/// 2011, "Hypervolume-based expected improvement: monotonicity properties and
/// exact computation"; in logarithms as in Ament et al. 2023, "Unexpected
/// improvements to expected improvement"). Finite everywhere. O(boxes).
JointScore ComputeLogHypervolumeImprovement(const FreeBoxes& boxes,
                                            const double* means,
                                            const double* variances);

/// ComputeLogHypervolumeImprovement with a Gaussian process for each metric.
class LogHypervolumeImprovement final : public AcquisitionFunction {
 public:
  /// Borrows the processes, one for each metric of `boxes`, whose units are
  /// those of the processes' targets.
  LogHypervolumeImprovement(std::vector<const GaussianProcess*> metrics,
                            FreeBoxes boxes);

  void Evaluate(const Eigen::Ref<const Eigen::MatrixXd>& points,
                Eigen::VectorXd* values,
                Eigen::MatrixXd* gradients) const override;

 private:
  const std::vector<const GaussianProcess*> metrics_;
  const FreeBoxes boxes_;
};

/// The acquisition for more metrics: the distance by which the upper confidence
/// bound exceeds the reference point in the direction of `weights`, that is the
/// minimum over the metrics of (bound - reference) / weight (Zhang and Golovin
/// 2020, "Random hypervolume scalarizations for provable multi-objective black
/// box optimization").
class ScalarizedBound final : public AcquisitionFunction {
 public:
  /// Borrows the processes. `reference` and `weights` (> 0) have an entry for
  /// each; more `deviations` explore more.
  ScalarizedBound(std::vector<const GaussianProcess*> metrics,
                  Eigen::RowVectorXd reference, Eigen::RowVectorXd weights,
                  double deviations);

  void Evaluate(const Eigen::Ref<const Eigen::MatrixXd>& points,
                Eigen::VectorXd* values,
                Eigen::MatrixXd* gradients) const override;

 private:
  const std::vector<const GaussianProcess*> metrics_;
  const Eigen::RowVectorXd reference_;
  const Eigen::RowVectorXd weights_;
  const double deviations_;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ACQUISITION_HYPERVOLUME_IMPROVEMENT_H_
