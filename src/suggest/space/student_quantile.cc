#include "suggest/space/student_quantile.h"

#include <cmath>
#include <numbers>

namespace vernier {
namespace {

double NormalQuantileAbove(double probability) {
  double low = 0;
  double high = 40;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    const double below = 0.5 * std::erfc(-middle / std::numbers::sqrt2);
    (below < probability ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

// One and two degrees have closed forms; the others use the expansion around
// the normal quantile (Abramowitz and Stegun 1964, 26.7.5).
double StudentQuantile(double probability, int degrees) {
  if (degrees == 1) {
    return std::tan(std::numbers::pi * (probability - 0.5));
  }
  if (degrees == 2) {
    return (2 * probability - 1) /
           std::sqrt(2 * probability * (1 - probability));
  }
  const double z = NormalQuantileAbove(probability);
  const double z2 = z * z;
  const double v = degrees;
  const double first = z * (z2 + 1) / 4;
  const double second = z * ((5 * z2 + 16) * z2 + 3) / 96;
  const double third = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
  const double fourth =
      z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
  return z + (first + (second + (third + fourth / v) / v) / v) / v;
}

}  // namespace vernier
