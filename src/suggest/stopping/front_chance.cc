#include "suggest/stopping/front_chance.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "suggest/gp/student_distribution.h"

namespace vernier {
namespace {

// Predictions err further, and more often, than their variances say, so the
// tails are heavier than a normal distribution's.
double MassBetween(const NormalValue& value, double lower, double upper) {
  const double deviation = std::sqrt(value.variance);
  const auto below = [&](double bound) {
    return StudentCumulative((bound - value.mean) / deviation);
  };
  const auto above = [&](double bound) {
    return StudentCumulative((value.mean - bound) / deviation);
  };
  // The smaller tail has the more exact difference.
  return lower > value.mean ? above(lower) - above(upper)
                            : below(upper) - below(lower);
}

}  // namespace

double ChanceToEnter(const FreeBoxes& free,
                     const std::vector<NormalValue>& finals) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::size_t m = finals.size();
  double chance = 0;
  for (std::size_t box = 0; box < free.num_boxes(); ++box) {
    const std::size_t* const lower = &free.bounds[2 * m * box];
    const std::size_t* const upper = lower + m;
    double mass = 1;
    for (std::size_t i = 0; i < m && mass > 0; ++i) {
      const std::vector<double>& levels = free.levels[i];
      mass *=
          MassBetween(finals[i], lower[i] == 0 ? -infinity : levels[lower[i]],
                      upper[i] == levels.size() ? infinity : levels[upper[i]]);
    }
    chance += mass;
  }
  return std::min(chance, 1.0);
}

}  // namespace vernier
