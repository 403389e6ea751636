#include "suggest/gp/student_distribution.h"

#include <cmath>

namespace vernier {

// With s = |x| / sqrt(4 + x^2) the tail is 1/2 - 3/4 s + 1/4 s^3, which is
// (1 - s)^2 (2 + s) / 4. For 1 - s there is a form that does not cancel.
double StudentCumulative(double x) {
  if (std::isinf(x)) return x < 0 ? 0 : 1;
  const double root = std::hypot(2.0, x);
  const double s = std::abs(x) / root;
  const double rest = 2 / root * (2 / root) / (1 + s);
  const double tail = rest * rest * (2 + s) / 4;
  return x < 0 ? tail : 1 - tail;
}

}  // namespace vernier
