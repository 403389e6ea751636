#ifndef VERNIER_SUGGEST_CURVES_CURVE_LEVELS_H_
#define VERNIER_SUGGEST_CURVES_CURVE_LEVELS_H_

#include <cstdint>
#include <vector>

#include "suggest/curves/learning_curve.h"

namespace vernier {

/// The largest number of levels that a curve is reduced to.
inline constexpr int kMaxLevels = 12;

/// Returns the steps at which curves are compared: the last is `last_step`, and
/// each other one is about three quarters of the next, down to `first_step`.
/// Increasing, at most kMaxLevels; >= 1 if last_step >= 1.
std::vector<std::int64_t> MakeLevels(std::int64_t first_step,
                                     std::int64_t last_step);

/// A curve by levels: the values at levels first, first + 1, ... up to the last
/// one that the curve has reached.
struct LevelValues {
  std::size_t first = 0;
  std::vector<double> values;

  /// One past the last level that was reached.
  std::size_t end() const { return first + values.size(); }
  bool Has(std::size_t level) const { return level >= first && level < end(); }
  double at(std::size_t level) const { return values[level - first]; }
};

/// Returns the values at the levels. A value is the mean of the reports since
/// the level before, which evens out noise; without reports it is interpolated
/// between those around the level. Empty if the curve has reached no level.
LevelValues ValuesAtLevels(const Curve& reports,
                           const std::vector<std::int64_t>& levels);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_CURVES_CURVE_LEVELS_H_
