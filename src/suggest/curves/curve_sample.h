#ifndef VERNIER_SUGGEST_CURVES_CURVE_SAMPLE_H_
#define VERNIER_SUGGEST_CURVES_CURVE_SAMPLE_H_

#include <cstddef>
#include <optional>

#include "study/job_spec.h"
#include "suggest/curves/learning_curve.h"

namespace vernier {

/// Keeps at most kMaxCurvePoints of a training's reports: the first and then
/// each 2^k-th, the best and the last. The choice depends on the reports alone,
/// not on when they came. 2 KiB. Not thread-safe.
class CurveSample {
 public:
  explicit CurveSample(Goal goal) : goal_(goal) {}

  /// `point` is finite and later than the last one. O(1) on average.
  void Add(const CurvePoint& point);

  bool empty() const { return !last_.has_value(); }
  /// Returns the last point. There must be one.
  const CurvePoint& last() const { return *last_; }

  /// Returns the kept points, by step.
  Curve Points() const;

 private:
  Goal goal_;
  std::size_t count_ = 0;           // Of all points.
  std::size_t stride_ = 1;          // A power of two.
  Curve kept_;                      // Those at multiples of the stride.
  std::optional<CurvePoint> best_;  // The first of ties.
  std::optional<CurvePoint> last_;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_CURVES_CURVE_SAMPLE_H_
