#include "suggest/acquisition/constrained_gain.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numbers>
#include <utility>

#include "suggest/gp/normal_distribution.h"

namespace vernier {
namespace {

// Returns ln Phi(z). Left of 0 it uses the scaled complementary error function,
// which does not underflow.
double LogCumulative(double z) {
  if (z > 0) return std::log(NormalCumulative(z));
  const double u = -z / std::numbers::sqrt2;
  return std::log(0.5 * ScaledErfc(u)) - u * u;
}

// The narrowest band that has a probability, in a model's targets.
constexpr double kNarrowestBand = 1e-9;

// Half the nodes of the Gauss-Legendre rule of 10 points on [-1, 1], and the
// weights (Abramowitz and Stegun, table 25.4).
constexpr double kNodes[] = {0.1488743389816312, 0.4333953941292472,
                             0.6794095682990244, 0.8650633666889845,
                             0.9739065285171717};
constexpr double kWeights[] = {0.2955242247147529, 0.2692667193099963,
                               0.2190863625159820, 0.1494513491505806,
                               0.0666713443086881};

// A band of the standard normal distribution: the logarithm of its probability,
// and the densities at its ends, divided by the probability.
struct BandScore {
  double log_probability = 0;
  double at_low = 0;
  double at_high = 0;
};

// The difference of two probabilities would lose all digits of a narrow band.
// Its density is smooth, so that it is integrated in units of that at the
// middle.
BandScore NarrowBand(double middle, double half) {
  const auto density = [&](double t) {
    return std::exp(-half * t * (middle + half * t / 2));
  };
  double sum = 0;
  for (std::size_t i = 0; i < std::size(kNodes); ++i) {
    sum += kWeights[i] * (density(kNodes[i]) + density(-kNodes[i]));
  }
  const double area = half * sum;
  return {.log_probability =
              LogNormalDensity(middle) + std::log(half) + std::log(sum),
          .at_low = density(-1) / area,
          .at_high = density(1) / area};
}

// Its middle is at most 0.
BandScore WideBand(double low, double high) {
  if (high > 0) {
    const double outside = NormalCumulative(low) + NormalCumulative(-high);
    return {.log_probability = std::log1p(-outside),
            .at_low = NormalDensity(low) / (1 - outside),
            .at_high = NormalDensity(high) / (1 - outside)};
  }
  // In units of the density at the upper end, to which the lower one's is
  // `ratio`.
  const double ratio = std::exp((high - low) * (low / 2 + high / 2));
  const double area =
      1 / InverseMillsRatio(high) - ratio / InverseMillsRatio(low);
  return {.log_probability = LogNormalDensity(high) + std::log(area),
          .at_low = ratio / area,
          .at_high = 1 / area};
}

}  // namespace

MarginalScore ComputeLogProbabilityAbove(double mean, double variance,
                                         double threshold) {
  const double deviation = std::sqrt(variance);
  const double z = (mean - threshold) / deviation;
  const double slope = InverseMillsRatio(z);  // d ln Phi / d z.
  return {.value = LogCumulative(z),
          .d_mean = slope / deviation,
          .d_variance = -slope * z / (2 * variance)};
}

MarginalScore ComputeLogProbabilityWithin(double mean, double variance,
                                          double low, double high) {
  const double deviation = std::sqrt(variance);
  double from = (low - mean) / deviation;
  double to = (high - mean) / deviation;
  // The distribution is symmetric, so that bands on one side are enough.
  const double sign = from + to > 0 ? -1 : 1;
  if (sign < 0) from = -std::exchange(to, -from);
  // The width of a narrow band would be lost in the difference of its ends.
  const double half = (high - low) / deviation / 2;
  const double middle = from / 2 + to / 2;
  constexpr double kNarrow = 0.5;
  const BandScore band = half * (1 - middle) < kNarrow
                             ? NarrowBand(middle, half)
                             : WideBand(from, to);
  const double slope = band.at_high - band.at_low;
  return {
      .value = band.log_probability,
      .d_mean = -sign * slope / deviation,
      .d_variance = -(middle * slope + half * (band.at_high + band.at_low)) /
                    (2 * variance)};
}

LogConstrainedGain::LogConstrainedGain(const AcquisitionFunction* log_gain,
                                       std::vector<Constraint> constraints)
    : log_gain_(log_gain), constraints_(std::move(constraints)) {}

void LogConstrainedGain::Evaluate(
    const Eigen::Ref<const Eigen::MatrixXd>& points, Eigen::VectorXd* values,
    Eigen::MatrixXd* gradients) const {
  if (log_gain_ != nullptr) {
    log_gain_->Evaluate(points, values, gradients);
  } else {
    values->setZero(points.rows());
    if (gradients != nullptr) gradients->setZero(points.rows(), points.cols());
  }
  for (const Constraint& constraint : constraints_) {
    const auto score = [&](double mean, double variance) {
      return std::isinf(constraint.high)
                 ? ComputeLogProbabilityAbove(mean, variance, constraint.low)
                 : ComputeLogProbabilityWithin(
                       mean, variance, constraint.low,
                       std::max(constraint.high,
                                constraint.low + kNarrowestBand));
    };
    Eigen::VectorXd logs;
    Eigen::MatrixXd slopes;
    EvaluateInBatches(*constraint.slack, points, score, &logs,
                      gradients == nullptr ? nullptr : &slopes);
    *values += logs;
    if (gradients != nullptr) *gradients += slopes;
  }
}

}  // namespace vernier
