#include "suggest/curves/learning_curve.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vernier {
namespace {

bool IsEarlier(const CurvePoint& a, const CurvePoint& b) {
  return a.step < b.step;
}

// Returns the finite values by step, one for each step.
Curve InOrder(std::vector<CurvePoint> reports) {
  std::erase_if(reports, [](const CurvePoint& report) {
    return !std::isfinite(report.value);
  });
  std::stable_sort(reports.begin(), reports.end(), IsEarlier);
  Curve curve;
  curve.reserve(reports.size());
  for (const CurvePoint& report : reports) {
    if (!curve.empty() && curve.back().step == report.step) curve.pop_back();
    curve.push_back(report);
  }
  return curve;
}

Curve Thinned(Curve curve) {
  if (curve.size() <= kMaxCurvePoints) return curve;
  Curve kept;
  kept.reserve(kMaxCurvePoints);
  for (std::size_t i = 0; i < kMaxCurvePoints; ++i) {
    kept.push_back(curve[i * (curve.size() - 1) / (kMaxCurvePoints - 1)]);
  }
  return kept;
}

}  // namespace

Curve RunningAverage(std::vector<CurvePoint> reports) {
  Curve curve = InOrder(std::move(reports));
  double mean = 0;
  double count = 0;
  for (CurvePoint& point : curve) {
    // The quotients are subtracted, because the difference of the values can
    // overflow.
    ++count;
    mean += point.value / count - mean / count;
    point.value = mean;
  }
  return Thinned(std::move(curve));
}

std::optional<double> ValueAt(const Curve& curve, std::int64_t step) {
  const auto after = std::lower_bound(curve.begin(), curve.end(),
                                      CurvePoint{step, 0}, IsEarlier);
  if (after == curve.end()) return std::nullopt;
  if (after->step == step) return after->value;
  if (after == curve.begin()) return std::nullopt;
  const auto before = after - 1;
  const auto distance = [&](std::int64_t to) {
    return static_cast<double>(to) - static_cast<double>(before->step);
  };
  return std::lerp(before->value, after->value,
                   distance(step) / distance(after->step));
}

}  // namespace vernier
