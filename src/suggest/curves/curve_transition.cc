#include "suggest/curves/curve_transition.h"

#include <Eigen/Cholesky>
#include <cmath>
#include <utility>

#include "suggest/gp/matern_kernel.h"
#include "suggest/gp/triangular_inverse.h"

namespace vernier {
namespace {

// Prior variances of the two slopes.
constexpr double kLastChangeVariance = 0.25;
constexpr double kValueVariance = 0.02;

// A level's own changes are averaged with this many typical ones.
constexpr double kTypicalCount = 2;

constexpr double kMinVariance = 1e-8;

Eigen::VectorXd Surprises(const TransitionData& data) {
  return data.changes - CurveTransition::kExpectedPart * data.last_change;
}

// Returns the typical squared surprise of a level, given that of all levels.
double TypicalAt(const Eigen::VectorXd& surprises, double typical) {
  return (surprises.squaredNorm() + kTypicalCount * typical) /
             (static_cast<double>(surprises.size()) + kTypicalCount) +
         kMinVariance;
}

// Adds to the prior covariance of the changes what does not depend on the
// parameters.
void AddOtherCovariance(const TransitionData& data,
                        const Eigen::VectorXd& centred_values, double typical,
                        Eigen::MatrixXd* covariance) {
  covariance->array() += typical;
  covariance->noalias() +=
      kLastChangeVariance * data.last_change * data.last_change.transpose();
  covariance->noalias() +=
      kValueVariance * centred_values * centred_values.transpose();
}

}  // namespace

ShapeLikelihood::ShapeLikelihood(const TransitionData& data,
                                 double length_scale, double typical)
    : surprises_(Surprises(data)), typical_(TypicalAt(surprises_, typical)) {
  KernelBlock kernel;
  ComputeLowerMatern52(data.inputs / length_scale, typical_, &kernel);
  of_parameters_ = std::move(kernel.value);
  others_ = Eigen::MatrixXd::Zero(of_parameters_.rows(), of_parameters_.cols());
  AddOtherCovariance(data, data.values.array() - data.values.mean(), typical_,
                     &others_);
}

std::optional<double> ShapeLikelihood::Of(double parameter_share,
                                          double noise_share) const {
  Eigen::MatrixXd factor = others_ + parameter_share * of_parameters_;
  factor.diagonal().array() += noise_share * typical_;
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> cholesky(factor);
  if (cholesky.info() != Eigen::Success) return std::nullopt;
  const double half_log_determinant = factor.diagonal().array().log().sum();
  if (!std::isfinite(half_log_determinant)) return std::nullopt;
  return -cholesky.matrixL().solve(surprises_).squaredNorm() / 2 -
         half_log_determinant;
}

double MeanSquaredSurprise(const TransitionData& data) {
  return Surprises(data).squaredNorm() /
         static_cast<double>(data.changes.size());
}

std::optional<CurveTransition> CurveTransition::Create(
    const TransitionData& data, const TransitionShape& shape, double typical) {
  const Eigen::VectorXd surprises = Surprises(data);
  CurveTransition transition;
  transition.typical_ = TypicalAt(surprises, typical);
  transition.parameter_variance_ = shape.parameter_share * transition.typical_;
  transition.noise_variance_ = shape.noise_share * transition.typical_;
  transition.inverse_length_scale_ = 1 / shape.length_scale;
  transition.scaled_inputs_ = data.inputs / shape.length_scale;
  transition.last_change_ = data.last_change;
  transition.mean_value_ = data.values.mean();
  transition.centred_values_ = data.values.array() - transition.mean_value_;

  KernelBlock kernel;  // Only its lower triangle is set.
  ComputeLowerMatern52(transition.scaled_inputs_,
                       transition.parameter_variance_, &kernel);
  Eigen::MatrixXd factor = std::move(kernel.value);
  AddOtherCovariance(data, transition.centred_values_, transition.typical_,
                     &factor);
  factor.diagonal().array() += transition.noise_variance_;
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> cholesky(factor);
  if (cholesky.info() != Eigen::Success) return std::nullopt;
  const double half_log_determinant = factor.diagonal().array().log().sum();
  if (!std::isfinite(half_log_determinant)) return std::nullopt;
  InvertLowerTriangle(factor);
  factor.triangularView<Eigen::StrictlyUpper>().setZero();

  const Eigen::VectorXd whitened =
      factor.triangularView<Eigen::Lower>() * surprises;
  transition.alpha_ =
      factor.transpose().triangularView<Eigen::Upper>() * whitened;
  transition.log_likelihood_ =
      -whitened.squaredNorm() / 2 - half_log_determinant;
  transition.part_of_last_change_ =
      kExpectedPart +
      kLastChangeVariance * data.last_change.dot(transition.alpha_);
  transition.part_of_value_ =
      kValueVariance * transition.centred_values_.dot(transition.alpha_);
  // These are equations 5.10 to 5.12 of Rasmussen and Williams 2006.
  transition.left_out_variances_ =
      factor.colwise().squaredNorm().transpose().cwiseInverse();
  transition.left_out_errors_ =
      transition.alpha_.cwiseProduct(transition.left_out_variances_);
  transition.inverse_factor_ = std::move(factor);
  return transition;
}

CurveTransition::Change CurveTransition::Predict(
    const Eigen::RowVectorXd& input, double value, double last_change) const {
  const Changes changes =
      PredictTogether(input, Eigen::VectorXd::Constant(1, value),
                      Eigen::VectorXd::Constant(1, last_change));
  return {changes.means[0],
          std::max(changes.covariance(0, 0), 0.0) + noise_variance_};
}

CurveTransition::Changes CurveTransition::PredictTogether(
    const Eigen::MatrixXd& inputs, const Eigen::VectorXd& values,
    const Eigen::VectorXd& last_changes) const {
  const Eigen::MatrixXd scaled = inputs * inverse_length_scale_;
  const Eigen::VectorXd centred = values.array() - mean_value_;
  const auto prior = [&](const Eigen::MatrixXd& others,
                         const Eigen::VectorXd& changes_before,
                         const Eigen::VectorXd& others_values) {
    Eigen::MatrixXd covariance =
        ComputeMatern52(others, scaled, parameter_variance_).value;
    covariance.array() += typical_;
    covariance.noalias() +=
        kLastChangeVariance * changes_before * last_changes.transpose();
    covariance.noalias() +=
        kValueVariance * others_values * centred.transpose();
    return covariance;
  };
  const Eigen::MatrixXd to_data =
      prior(scaled_inputs_, last_change_, centred_values_);
  const Eigen::MatrixXd explained =
      inverse_factor_.triangularView<Eigen::Lower>() * to_data;
  Changes changes;
  changes.means = kExpectedPart * last_changes + to_data.transpose() * alpha_;
  changes.covariance = prior(scaled, last_changes, centred);
  changes.covariance.noalias() -= explained.transpose() * explained;
  return changes;
}

}  // namespace vernier
