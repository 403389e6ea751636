#ifndef VERNIER_SUGGEST_CURVES_CURVE_TRANSITION_H_
#define VERNIER_SUGGEST_CURVES_CURVE_TRANSITION_H_

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <vector>

namespace vernier {

/// The changes of n curves from one level to the next.
struct TransitionData {
  Eigen::MatrixXd inputs;       ///< n x D, encoded parameters.
  Eigen::VectorXd changes;      ///< To the next level.
  Eigen::VectorXd last_change;  ///< Up to this level; 0 where it is not known.
  Eigen::VectorXd values;       ///< At this level.
  std::vector<std::size_t> trials;
};

/// The parameters that all levels of a model share. The two shares are
/// fractions of a level's typical squared change.
struct TransitionShape {
  double length_scale = 1;     ///< Of the function of the parameters.
  double parameter_share = 0;  ///< The share explained by the parameters,
  double noise_share = 1;      ///< and the share of noise.
};

/// How well shapes with one length scale explain the changes of a level. It
/// costs less than to make the transitions.
class ShapeLikelihood {
 public:
  /// `typical` is as in CurveTransition::Create.
  ShapeLikelihood(const TransitionData& data, double length_scale,
                  double typical);

  /// Returns CurveTransition::log_likelihood for the shares of a shape, but for
  /// rounding; nullopt if the matrix cannot be factorised. O(n^3).
  std::optional<double> Of(double parameter_share, double noise_share) const;

 private:
  Eigen::VectorXd surprises_;
  double typical_;
  // The lower triangles of the prior covariance: of the function of the
  // parameters, as if it explained everything, and of the rest without noise.
  Eigen::MatrixXd of_parameters_;
  Eigen::MatrixXd others_;
};

/// The change from a level to the next as a Gaussian process: linear in the
/// change before and in the value, plus a function of the parameters
/// (Matern-5/2), plus noise. A change is expected to be kExpectedPart of the
/// one before, as curves flatten at levels that lie evenly on a log scale.
class CurveTransition {
 public:
  static constexpr double kExpectedPart = 0.6;

  /// `typical` is the squared change that is expected at a level without data.
  /// nullopt if the matrix cannot be factorised. O(n^3).
  static std::optional<CurveTransition> Create(const TransitionData& data,
                                               const TransitionShape& shape,
                                               double typical);

  double log_likelihood() const { return log_likelihood_; }

  struct Change {
    double mean = 0;
    double variance = 0;  ///< Noise included.
  };
  Change Predict(const Eigen::RowVectorXd& input, double value,
                 double last_change) const;

  /// Predictions for m trials, with the covariance of their errors.
  struct Changes {
    Eigen::VectorXd means;
    Eigen::MatrixXd covariance;  ///< m x m, without noise.
  };
  /// `inputs` is m x D. O(n^2 m + n m^2).
  Changes PredictTogether(const Eigen::MatrixXd& inputs,
                          const Eigen::VectorXd& values,
                          const Eigen::VectorXd& last_changes) const;

  /// The variance of a change that no data could reduce.
  double noise_variance() const { return noise_variance_; }

  /// d change / d last_change and d change / d value, the other held fixed.
  double part_of_last_change() const { return part_of_last_change_; }
  double part_of_value() const { return part_of_value_; }

  /// The errors of predicting each trial's change from the others, and their
  /// predicted variances. One entry per trial of the data.
  const Eigen::VectorXd& left_out_errors() const { return left_out_errors_; }
  const Eigen::VectorXd& left_out_variances() const {
    return left_out_variances_;
  }

 private:
  CurveTransition() = default;

  Eigen::MatrixXd scaled_inputs_;
  Eigen::VectorXd last_change_;
  Eigen::VectorXd centred_values_;
  Eigen::VectorXd alpha_;
  Eigen::MatrixXd inverse_factor_;  // Lower triangular.
  Eigen::VectorXd left_out_errors_;
  Eigen::VectorXd left_out_variances_;
  double inverse_length_scale_ = 1;
  double mean_value_ = 0;
  double typical_ = 1;
  double parameter_variance_ = 0;
  double noise_variance_ = 1;
  double part_of_last_change_ = 0;
  double part_of_value_ = 0;
  double log_likelihood_ = 0;
};

/// Returns the mean squared deviation of the changes of a level from their
/// expectation.
double MeanSquaredSurprise(const TransitionData& data);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_CURVES_CURVE_TRANSITION_H_
