#include "suggest/curves/final_surface.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "suggest/gp/hyperparameter_fit.h"

namespace vernier {
namespace {

// Evaluations of the likelihood, from one starting point. The model is made
// again whenever a trial ends, so it gets a sixth of the effort for the model
// of the suggestions; a second starting point improved no prediction.
constexpr int kEvaluations = 20;

// Relative to the mean: smaller differences between targets are only rounding.
constexpr double kMinVariation = 1e-12;

// Two sources that are further apart contradict each other.
constexpr double kMostDeviations = 2;

}  // namespace

NormalValue Join(const NormalValue& curve, const NormalValue& others) {
  const double apart = (curve.mean - others.mean) / kMostDeviations;
  const double weight = 1 / curve.variance;
  const double others_weight =
      1 / std::max(others.variance, apart * apart - curve.variance);
  const double both = weight + others_weight;
  return {(weight * curve.mean + others_weight * others.mean) / both, 1 / both};
}

FinalSurface::FinalSurface(GaussianProcess gp, LeaveOneOut left_out,
                           double centre, double unit)
    : gp_(std::move(gp)),
      left_out_(std::move(left_out)),
      centre_(centre),
      unit_(unit) {}

std::optional<FinalSurface> FinalSurface::Create(RegressionData data) {
  if (data.inputs.rows() == 0 || data.inputs.cols() == 0) return std::nullopt;
  const double centre = data.targets.mean();
  const double unit = data.targets.maxCoeff() - data.targets.minCoeff();
  if (!(unit > kMinVariation * std::abs(centre)) || !std::isfinite(unit)) {
    return std::nullopt;
  }
  data.targets = (data.targets.array() - centre) / unit;
  if (data.known_noise.size() > 0) data.known_noise /= unit * unit;
  data.shared_noise /= unit;
  const HyperparameterPrior prior = MakeHyperparameterPrior(data.groups);
  HyperparameterFitOptions options;
  options.max_evaluations = kEvaluations;
  const auto theta =
      FitHyperparameters(data, prior, {StartingPoints(prior).front()}, options);
  if (!theta.ok()) return std::nullopt;
  auto gp = GaussianProcess::Create(data, *theta);
  if (!gp.ok()) return std::nullopt;
  LeaveOneOut left_out = LeaveOutEach(*gp, data.targets);
  return FinalSurface(*std::move(gp), std::move(left_out), centre, unit);
}

NormalValue FinalSurface::InUnits(double mean, double variance) const {
  return {centre_ + unit_ * mean, unit_ * unit_ * variance};
}

NormalValue FinalSurface::Predict(const Eigen::RowVectorXd& input) const {
  const Posterior posterior = gp_.Predict(input, false);
  return InUnits(posterior.mean[0],
                 posterior.variance[0] + gp_.noise_variance());
}

NormalValue FinalSurface::LeaveOut(Eigen::Index i) const {
  return InUnits(left_out_.mean[i], left_out_.variance[i]);
}

}  // namespace vernier
