#ifndef VERNIER_SUGGEST_SPACE_PARAMETER_SCALE_H_
#define VERNIER_SUGGEST_SPACE_PARAMETER_SCALE_H_

#include "study/parameter.h"

namespace vernier {

/// Stretches [low, high] over [0, 1]: linear, log (dense near `low`) or
/// reverse log (dense near `high`; Vizier's form). Immutable, cheap to copy.
class ParameterScale {
 public:
  /// `low` < `high`, finite. A log scale is taken as linear if its range is not
  /// positive or its logarithms coincide, because the map must never divide by
  /// 0.
  ParameterScale(ScaleType type, double low, double high);

  /// Increasing; `low` gives 0 and `high` gives 1. `value` in [low, high].
  double ToUnit(double value) const;

  /// Inverse of ToUnit, clamped to [low, high]; `unit` in [0, 1].
  double FromUnit(double unit) const;

 private:
  ScaleType type_;
  double low_;
  double high_;
  double log_low_ = 0;
  double log_high_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_SPACE_PARAMETER_SCALE_H_
