#include "suggest/gp/normal_distribution.h"

#include <cmath>
#include <numbers>

namespace vernier {
namespace {

constexpr double kSqrtTwoPi = 2.50662827463100050242;

}  // namespace

double NormalDensity(double x) { return std::exp(-0.5 * x * x) / kSqrtTwoPi; }

double LogNormalDensity(double x) {
  constexpr double kLogSqrtTwoPi = 0.91893853320467274178;
  return -0.5 * x * x - kLogSqrtTwoPi;
}

double NormalCumulative(double x) {
  return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

double NormalQuantile(double p) {
  if (p > 0.5) return -NormalQuantile(1 - p);
  // Abramowitz and Stegun 26.2.23, error < 4.5e-4. Each step of Halley's method
  // triples the number of correct digits.
  const double t = std::sqrt(-2 * std::log(p));
  double x = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                       (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
  for (int i = 0; i < 3; ++i) {
    const double error = (NormalCumulative(x) - p) / NormalDensity(x);
    x -= error / (1 + 0.5 * x * error);
  }
  return x;
}

double InverseMillsRatio(double x) {
  if (x > -1) return NormalDensity(x) / NormalCumulative(x);
  return 2 / (kSqrtTwoPi * ScaledErfc(-x / std::numbers::sqrt2));
}

double ScaledErfc(double x) {
  if (x < 5) return std::exp(x * x) * std::erfc(x);
  // Laplace's continued fraction (Abramowitz and Stegun 7.1.14), from the tail.
  double tail = x;
  for (int k = 40; k >= 1; --k) tail = x + 0.5 * k / tail;
  return std::numbers::inv_sqrtpi / tail;
}

}  // namespace vernier
