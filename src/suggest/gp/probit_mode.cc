#include "suggest/gp/probit_mode.h"

#include <algorithm>
#include <cmath>

#include "base/status_macros.h"
#include "suggest/gp/gaussian_process.h"
#include "suggest/gp/normal_distribution.h"

namespace vernier {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr int kMaxSteps = 15;  // The objective is concave; six are usual.
constexpr double kTolerance = 1e-6;

constexpr double kLeastCurvature = 1e-6;
constexpr double kLeastProbability = 1e-300;

// Sets the pseudo-targets and their noise at the latent values `f`.
void Linearize(const SuccessCounts& counts, const VectorXd& f,
               RegressionData* data) {
  for (Index i = 0; i < f.size(); ++i) {
    const double up = InverseMillsRatio(f[i]);
    const double down = InverseMillsRatio(-f[i]);
    const double slope = counts.good[i] * up - counts.bad[i] * down;
    const double curvature =
        std::max(kLeastCurvature, counts.good[i] * up * (up + f[i]) +
                                      counts.bad[i] * down * (down - f[i]));
    data->targets[i] = f[i] - kProbitMean + slope / curvature;
    data->known_noise[i] = 1 / curvature;
  }
}

double LogLikelihood(const SuccessCounts& counts, const VectorXd& f) {
  const auto log_probability = [](double x) {
    return std::log(std::max(kLeastProbability, NormalCumulative(x)));
  };
  double sum = 0;
  for (Index i = 0; i < f.size(); ++i) {
    sum += counts.good[i] * log_probability(f[i]) +
           counts.bad[i] * log_probability(-f[i]);
  }
  return sum;
}

}  // namespace

Eigen::MatrixXd LinearColumns(const Eigen::Ref<const Eigen::MatrixXd>& points) {
  return points.array() - 0.5;
}

absl::StatusOr<ProbitMode> FindProbitMode(const SuccessCounts& counts,
                                          const LogHyperparameters& theta,
                                          double steepness) {
  const Index n = counts.inputs.rows();
  ProbitMode mode;
  RegressionData& data = mode.data;
  data.inputs = counts.inputs;
  data.groups = counts.groups;
  data.targets.resize(n);
  data.noise_scale = VectorXd::Zero(n);
  data.known_noise.resize(n);
  if (steepness > 0) {
    data.shared_noise = steepness * LinearColumns(data.inputs);
  }
  VectorXd f = VectorXd::Zero(n);
  FactorizedCovariance covariance;
  for (int step = 0; step < kMaxSteps; ++step) {
    Linearize(counts, f, &data);
    VERNIER_RETURN_IF_ERROR(Factorize(data, theta, &covariance));
    // (K + W^-1) alpha are the centred targets, so K alpha is what is left.
    const VectorXd next =
        (data.targets - data.known_noise.cwiseProduct(covariance.alpha))
            .array() +
        kProbitMean;
    const double change = (next - f).cwiseAbs().maxCoeff();
    f = next;
    if (change < kTolerance) break;
  }
  const double mean = covariance.mean;
  mode.log_evidence =
      LogLikelihood(counts, f) -
      0.5 * covariance.alpha.dot((f.array() - kProbitMean - mean).matrix()) -
      0.5 * mean * mean / kMeanPriorVariance - covariance.half_log_determinant +
      0.5 * data.known_noise.array().log().sum();
  return mode;
}

}  // namespace vernier
