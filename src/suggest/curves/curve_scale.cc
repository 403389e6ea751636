#include "suggest/curves/curve_scale.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace vernier {
namespace {

// The number of units in the median distance from the best: tuned by bench/duel
// --curves, where 1 and 5 predict worse.
constexpr double kUnits = 2;

// A bound that keeps the scale finite; no real curve comes near.
constexpr double kMostScaled = 100;

// Differences below this fraction of the values are rounding.
constexpr double kRounding = 1e-12;

// Returns 0 if there are no values.
double HalfMedianDistance(const std::vector<double>& values, double sign,
                          double best) {
  if (values.empty()) return 0;
  std::vector<double> distances;
  distances.reserve(values.size());
  for (const double value : values) {
    distances.push_back(best / kUnits - sign * value / kUnits);
  }
  const auto middle =
      distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle;
}

}  // namespace

std::optional<CurveScale> CurveScale::Create(const std::vector<double>& finals,
                                             const std::vector<double>& others,
                                             Goal goal) {
  if (finals.empty()) return std::nullopt;
  CurveScale scale;
  scale.sign_ = goal == Goal::kMaximize ? 1 : -1;
  scale.best_ = scale.sign_ * finals.front();
  for (const auto* values : {&finals, &others}) {
    for (const double value : *values) {
      scale.best_ = std::max(scale.best_, scale.sign_ * value);
    }
  }
  // Trainings that all end alike still differ along the way.
  for (const auto* values : {&finals, &others}) {
    scale.unit_ = HalfMedianDistance(*values, scale.sign_, scale.best_);
    if (std::isfinite(scale.unit_) &&
        scale.unit_ > kRounding * std::abs(scale.best_)) {
      return scale;
    }
  }
  return std::nullopt;
}

double CurveScale::ToScale(double value) const {
  const double distance = best_ / unit_ - sign_ * value / unit_;
  if (!(distance >= 0)) return std::min(-distance, kMostScaled);
  return std::max(-std::log1p(distance), -kMostScaled);
}

double CurveScale::ToValue(double scaled) const {
  const double z = std::clamp(scaled, -kMostScaled, kMostScaled);
  return sign_ * (best_ + unit_ * (z > 0 ? z : -std::expm1(-z)));
}

double CurveScale::Slope(double scaled) const {
  return unit_ * std::exp(std::clamp(-scaled, 0.0, kMostScaled));
}

}  // namespace vernier
