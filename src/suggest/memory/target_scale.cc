#include "suggest/memory/target_scale.h"

#include <cmath>
#include <limits>

namespace vernier {
namespace {

using Eigen::Index;

// The prior on the factor's logarithm is normal, and so is that on the offset
// from the process's mean.
constexpr double kLogFactorMean = -0.7;
constexpr double kLogFactorDeviation = 1;
constexpr double kOffsetVariance = 1;

constexpr double kLeastLogFactor = -3.5;
constexpr double kMostLogFactor = 1;
constexpr int kNumFactors = 91;

}  // namespace

// The residual is e = factor * b + offset * a + r, of which only the last n
// entries of L^-1 e depend on the line. For a given factor the best offset has
// a closed form; the factor is one number, which is looked for on a grid.
TargetScale FitTargetScale(
    const Eigen::Ref<const Eigen::MatrixXd>& inverse_factor,
    const Eigen::VectorXd& foreign, const Eigen::VectorXd& own, double mean) {
  const Index n = own.size();
  const auto block =
      inverse_factor.bottomRightCorner(n, n).triangularView<Eigen::Lower>();
  const Eigen::VectorXd a = block * Eigen::VectorXd::Ones(n);
  const Eigen::VectorXd b = block * own;
  const Eigen::VectorXd r = inverse_factor.bottomLeftCorner(n, foreign.size()) *
                            (foreign.array() - mean).matrix();
  const double aa = a.squaredNorm() + 1 / kOffsetVariance;
  const double curvature = b.squaredNorm() - a.dot(b) * a.dot(b) / aa;
  const double slope = b.dot(r) - a.dot(b) * a.dot(r) / aa;
  TargetScale best;
  double best_value = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kNumFactors; ++i) {
    const double log_factor =
        kLeastLogFactor +
        (kMostLogFactor - kLeastLogFactor) * i / (kNumFactors - 1);
    const double factor = std::exp(log_factor);
    const double z = (log_factor - kLogFactorMean) / kLogFactorDeviation;
    // One degree of freedom is the offset's.
    const double prior = 0.5 * z * z - static_cast<double>(n - 1) * log_factor;
    const double value =
        0.5 * factor * factor * curvature + factor * slope + prior;
    if (!(value < best_value)) continue;
    best_value = value;
    const double offset = -(factor * a.dot(b) + a.dot(r)) / aa;
    best = {factor, mean + offset,
            prior + 0.5 * offset * offset / kOffsetVariance};
  }
  return best;
}

}  // namespace vernier
