#include "study/step_value.h"

#include <cmath>

#include "base/number_text.h"

namespace vernier {

double StepValue(double first, double step, double number) {
  const double sum = first + number * step;
  const bool is_exact = first == std::floor(first) && step == std::floor(step);
  if (is_exact || !std::isfinite(sum)) return sum;
  constexpr int kDigits = 15;  // As many as every double has.
  return NumberIn(ShortNumber(sum, kDigits)).value_or(sum);
}

}  // namespace vernier
