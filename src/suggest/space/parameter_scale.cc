#include "suggest/space/parameter_scale.h"

#include <algorithm>
#include <cmath>

#include "suggest/space/decimal_grid.h"

namespace vernier {
namespace {

// Values are rounded to a hundred millionth of their scale or less.
// PointIdentity treats numbers within a millionth as the same.
constexpr int kDigitsOfScale = 8;

}  // namespace

ParameterScale::ParameterScale(ScaleType type, double low, double high)
    : type_(type == ScaleType::kNone ? ScaleType::kLinear : type),
      low_(low),
      high_(high) {
  if (type_ == ScaleType::kLinear) return;
  log_low_ = std::log(low_);
  log_high_ = std::log(high_);
  if (!(low_ > 0) || !(log_high_ > log_low_)) type_ = ScaleType::kLinear;
}

double ParameterScale::ToUnit(double value) const {
  return std::clamp(PlaceOf(value), 0.0, 1.0);
}

double ParameterScale::PlaceOf(double value) const {
  double unit = 0;
  switch (type_) {
    case ScaleType::kNone:
    case ScaleType::kLinear: {
      const double width = high_ - low_;
      // The width of [-1e308, 1e308] overflows, so it is halved; the width of
      // two subnormals must not be.
      unit = std::isfinite(width)
                 ? (value - low_) / width
                 : (value / 2 - low_ / 2) / (high_ / 2 - low_ / 2);
      break;
    }
    case ScaleType::kLog:
      unit = (std::log(value) - log_low_) / (log_high_ - log_low_);
      break;
    case ScaleType::kReverseLog:
      unit = 1 - (std::log(low_ + (high_ - value)) - log_low_) /
                     (log_high_ - log_low_);
      break;
  }
  return unit;
}

double ParameterScale::FromUnit(double unit) const {
  // The logarithm and its inverse would miss the ends by a few last digits.
  if (unit <= 0) return low_;
  if (unit >= 1) return high_;
  double value = 0;
  switch (type_) {
    case ScaleType::kNone:
    case ScaleType::kLinear:
      value = low_ * (1 - unit) + high_ * unit;
      break;
    case ScaleType::kLog:
      value = std::exp(log_low_ + unit * (log_high_ - log_low_));
      break;
    case ScaleType::kReverseLog:
      value =
          low_ + (high_ - std::exp(log_high_ - unit * (log_high_ - log_low_)));
      break;
  }
  return std::clamp(value, low_, high_);
}

int ParameterScale::LastDigit(double value, double part) const {
  // The rate at which values change along the scale, as a power of ten. On a
  // log scale it is proportional to the value; the value's power of ten is
  // taken, so that a whole decade has one last digit.
  int slope = 0;
  if (type_ == ScaleType::kLinear) {
    const double width = high_ - low_;
    slope = std::isfinite(width) ? DecimalExponent(width)
                                 : DecimalExponent(high_ / 2 - low_ / 2);
  } else {
    const double factor =
        type_ == ScaleType::kLog ? value : low_ + (high_ - value);
    slope = DecimalExponent(factor) + DecimalExponent(log_high_ - log_low_);
  }
  return slope + DecimalExponent(part) - kDigitsOfScale;
}

double ParameterScale::ValueAt(double unit, double part) const {
  const double value = FromUnit(unit);
  if (value == low_ || value == high_) return value;
  return std::clamp(RoundToPowerOfTen(value, LastDigit(value, part)), low_,
                    high_);
}

}  // namespace vernier
