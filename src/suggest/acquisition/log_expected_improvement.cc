#include "suggest/acquisition/log_expected_improvement.h"

#include <cmath>
#include <numbers>

#include "suggest/gp/normal_distribution.h"

namespace vernier {
namespace {

// ln(sqrt(2 pi)) and sqrt(pi / 2).
constexpr double kLogSqrtTwoPi = 0.91893853320467274178;
constexpr double kSqrtHalfPi = 1.25331413731550025121;

}  // namespace

// With u = -z and the Mills ratio M(u) = Phi(-u) / phi(u), h = phi(u) q with
// q = 1 - u M(u). The direct sum cancels once z < -1; q itself cancels once u
// passes about 30, where its asymptotic series has long converged.
LogImprovement ComputeLogImprovement(double z) {
  LogImprovement result;
  if (z > -1) {
    const double density = NormalDensity(z);
    const double cumulative = NormalCumulative(z);
    const double h = density + z * cumulative;
    result.log_h = std::log(h);
    result.cumulative_over_h = cumulative / h;
    result.density_over_h = density / h;
    return result;
  }
  const double u = -z;
  double q = 0;
  double mills = 0;
  if (u < 30) {
    mills = kSqrtHalfPi * ScaledErfc(u / std::numbers::sqrt2);
    q = 1 - u * mills;
  } else {
    const double w = 1 / (u * u);
    q = w * (1 - 3 * w * (1 - 5 * w * (1 - 7 * w)));
    mills = (1 - q) / u;
  }
  result.log_h = -0.5 * u * u - kLogSqrtTwoPi + std::log(q);
  result.cumulative_over_h = mills / q;
  result.density_over_h = 1 / q;
  return result;
}

MarginalScore ComputeLogExpectedImprovement(double mean, double variance,
                                            double best) {
  const double deviation = std::sqrt(variance);
  const LogImprovement h = ComputeLogImprovement((mean - best) / deviation);
  return {.value = std::log(deviation) + h.log_h,
          .d_mean = h.cumulative_over_h / deviation,
          .d_variance = h.density_over_h / (2 * variance)};
}

}  // namespace vernier
