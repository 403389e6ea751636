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

  /// As ToUnit for any finite value, also beyond the range; not finite where
  /// the scale is not defined.
  double PlaceOf(double value) const;

  /// Inverse of ToUnit, in [low, high]; `unit` in [0, 1], whose ends give
  /// exactly `low` and `high`.
  double FromUnit(double unit) const;

  /// FromUnit without the digits that the scale cannot distinguish, for people
  /// and programs: 0.01, not 0.010000000000000004. That leaves at most 12
  /// significant digits, unless the range is narrower than a ten thousandth of
  /// its values, which then need more. In [low, high]; values that lie a ten
  /// millionth of the scale apart stay distinct if doubles are. The same on
  /// every machine that computes the same FromUnit. Where only a `part` of the
  /// scale is used, in (0, 1], these parts are of that part.
  double ValueAt(double unit, double part = 1) const;

 private:
  // Returns the exponent of the power of ten that is the last digit worth
  // showing.
  int LastDigit(double value, double part) const;

  ScaleType type_;
  double low_;
  double high_;
  double log_low_ = 0;
  double log_high_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_SPACE_PARAMETER_SCALE_H_
