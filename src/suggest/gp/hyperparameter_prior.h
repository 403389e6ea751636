#ifndef VERNIER_SUGGEST_GP_HYPERPARAMETER_PRIOR_H_
#define VERNIER_SUGGEST_GP_HYPERPARAMETER_PRIOR_H_

#include <Eigen/Core>
#include <cmath>
#include <vector>

namespace vernier {

/// The columns of the inputs that share a length scale: all columns of one
/// categorical share one, and every other column has its own.
struct LengthScaleGroups {
  std::vector<Eigen::Index> group_of_column;  ///< D entries in [0, p).
  std::vector<bool> is_categorical;           ///< p entries.
  /// Most groups in which two points of one branch of a conditional space can
  /// differ; distances grow with its square root. 0: all p.
  Eigen::Index num_active = 0;

  Eigen::Index size() const {
    return static_cast<Eigen::Index>(is_categorical.size());
  }
  /// Returns half the logarithm of the number of groups that count.
  double LogTypicalDistance() const {
    return 0.5 *
           std::log(static_cast<double>(num_active > 0 ? num_active : size()));
  }
};

/// Hyperparameters of the Gaussian process on natural log scale: p length
/// scales, then the signal variance, then the noise variance. Size p + 2.
using LogHyperparameters = Eigen::VectorXd;

inline double SignalVariance(const LogHyperparameters& theta) {
  return std::exp(theta[theta.size() - 2]);
}
inline double NoiseVariance(const LogHyperparameters& theta) {
  return std::exp(theta[theta.size() - 1]);
}

/// Returns the inverse length scale of each of the D columns.
Eigen::RowVectorXd InverseLengthScales(const LengthScaleGroups& groups,
                                       const LogHyperparameters& theta);

/// Independent normal priors on the log hyperparameters, within bounds.
///
/// The centre of the length scales grows with sqrt(p), as distances do
/// (Hvarfner et al. 2024, "Vanilla Bayesian optimization performs great in high
/// dimensions"). It is longer for categoricals: with a short one, a category
/// would say nothing about the others.
struct HyperparameterPrior {
  Eigen::VectorXd mean;
  Eigen::VectorXd deviation;
  Eigen::VectorXd lower;
  Eigen::VectorXd upper;
  double log_typical_distance = 0;  ///< LengthScaleGroups::LogTypicalDistance.
};

/// What is believed about the noise before there are data.
enum class ExpectedNoise {
  kUsual,  ///< As of a warped objective: about 0.7 % of the variance.
  /// Little: about 0.2 %, or far less if the data say so. For targets in
  /// proportion to the values, which do not zoom in on what a search refines.
  kLittle,
};

HyperparameterPrior MakeHyperparameterPrior(
    const LengthScaleGroups& groups,
    ExpectedNoise noise = ExpectedNoise::kUsual);

/// Returns the starting points of a fit, within the bounds: a smooth model with
/// little noise, and a shorter-ranged one that explains more by noise. There
/// are two because local optima half a nat apart are common.
std::vector<LogHyperparameters> StartingPoints(
    const HyperparameterPrior& prior);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_HYPERPARAMETER_PRIOR_H_
