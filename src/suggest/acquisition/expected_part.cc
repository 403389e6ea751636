#include "suggest/acquisition/expected_part.h"

#include <cmath>

#include "suggest/gp/normal_distribution.h"

namespace vernier {

MarginalScore ComputeExpectedPart(double mean, double variance, double best,
                                  double stopped_part) {
  const double deviation = std::sqrt(variance);
  const double z = (mean - best) / deviation;
  const double saved = 1 - stopped_part;
  const double slope = saved * NormalDensity(z);
  return {.value = stopped_part + saved * NormalCumulative(z),
          .d_mean = slope / deviation,
          .d_variance = -slope * z / (2 * variance)};
}

}  // namespace vernier
