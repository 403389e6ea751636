#ifndef VERNIER_SUGGEST_CURVES_CURVE_SCALE_H_
#define VERNIER_SUGGEST_CURVES_CURVE_SCALE_H_

#include <optional>
#include <vector>

#include "study/job_spec.h"

namespace vernier {

/// Maps objective values to a scale on which learning curves are modelled:
/// larger is better, the best value seen is 0, and a worse one lies at
/// -ln(1 + distance / unit), so that the differences that decide between good
/// trials are as large as those between early values. Beyond the best the scale
/// continues linearly.
class CurveScale {
 public:
  CurveScale() = default;

  /// `finals` are the final values of complete trainings and `others` all other
  /// values seen; the unit is half the median distance of finals from the best
  /// of all, or if that is 0, of the others. nullopt if both are 0 or too large
  /// to compute with.
  static std::optional<CurveScale> Create(const std::vector<double>& finals,
                                          const std::vector<double>& others,
                                          Goal goal);

  double ToScale(double value) const;
  double ToValue(double scaled) const;

  /// Returns |d value / d scaled| at `scaled`.
  double Slope(double scaled) const;

 private:
  double sign_ = 1;
  double best_ = 0;  // With the sign applied.
  double unit_ = 1;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_CURVES_CURVE_SCALE_H_
