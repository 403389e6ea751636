#include "suggest/curves/curve_sample.h"

#include <algorithm>

namespace vernier {
namespace {

// The largest number of points besides the best and the last.
constexpr std::size_t kMostKept = kMaxCurvePoints - 2;

void Insert(const CurvePoint& point, Curve* curve) {
  const auto at = std::lower_bound(
      curve->begin(), curve->end(), point,
      [](const CurvePoint& a, const CurvePoint& b) { return a.step < b.step; });
  if (at == curve->end() || at->step != point.step) curve->insert(at, point);
}

}  // namespace

void CurveSample::Add(const CurvePoint& point) {
  if (count_ % stride_ == 0) {
    if (kept_.size() == kMostKept) {
      // Keeps half of them: each second, from the first.
      for (std::size_t i = 0; 2 * i < kept_.size(); ++i) {
        kept_[i] = kept_[2 * i];
      }
      kept_.resize((kept_.size() + 1) / 2);
      stride_ *= 2;
    }
    if (count_ % stride_ == 0) kept_.push_back(point);
  }
  ++count_;
  if (!best_.has_value() || IsWorse(best_->value, point.value, goal_)) {
    best_ = point;
  }
  last_ = point;
}

Curve CurveSample::Points() const {
  Curve points = kept_;
  if (best_.has_value()) Insert(*best_, &points);
  if (last_.has_value()) Insert(*last_, &points);
  return points;
}

}  // namespace vernier
