#include "suggest/space/parameter_scale.h"

#include <algorithm>
#include <cmath>

namespace vernier {

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
  return std::clamp(unit, 0.0, 1.0);
}

double ParameterScale::FromUnit(double unit) const {
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

}  // namespace vernier
