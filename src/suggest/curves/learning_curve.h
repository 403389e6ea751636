#ifndef VERNIER_SUGGEST_CURVES_LEARNING_CURVE_H_
#define VERNIER_SUGGEST_CURVES_LEARNING_CURVE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace vernier {

/// A value at a step of training.
struct CurvePoint {
  std::int64_t step = 0;
  double value = 0;

  friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

/// Values along a training: finite, by step, steps strictly increasing.
using Curve = std::vector<CurvePoint>;

/// The largest number of points that a curve keeps.
inline constexpr std::size_t kMaxCurvePoints = 64;

/// Returns the running average of a trial's reports: at each step the mean of
/// all values up to and including it (Golovin et al. 2017, section 3.2.2).
///
/// Values that are not finite are left out. Of several values for one step the
/// last in `reports` counts. If there are more than kMaxCurvePoints points,
/// that many are kept, evenly spread by position and including the first and
/// the last; the kept ones are exact. Pure. O(n log n).
Curve RunningAverage(std::vector<CurvePoint> reports);

/// Returns the curve at `step`, interpolated linearly. nullopt before the first
/// point and after the last: it is never extrapolated.
std::optional<double> ValueAt(const Curve& curve, std::int64_t step);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_CURVES_LEARNING_CURVE_H_
