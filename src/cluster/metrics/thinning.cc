#include "cluster/metrics/thinning.h"

#include <cmath>
#include <utility>

namespace vernier {
namespace {

// Returns the distance between kept values around the value with this number.
std::int64_t StrideAt(std::int64_t number) {
  std::int64_t stride = 1;
  for (std::int64_t end = kKeptAtFirst; end < number; end *= 2) stride *= 2;
  return stride;
}

}  // namespace

void CurveThinner::Give(Curve& curve, std::vector<Measurement>& kept) {
  // Keyed by number, because one value may play several of these roles.
  std::map<std::int64_t, Measurement> given;
  for (auto* one : {&curve.new_smallest, &curve.new_largest, &curve.not_finite,
                    &curve.last}) {
    if (one->has_value()) given.insert(*std::move(*one));
    one->reset();
  }
  for (auto& [number, measurement] : given) {
    kept.push_back(std::move(measurement));
  }
}

void CurveThinner::Take(Measurement measurement,
                        std::vector<Measurement>& kept) {
  auto found = curves_.find(measurement.metric);
  if (found == curves_.end()) {
    if (curves_.size() >= kMostThinned) return;
    found = curves_.try_emplace(measurement.metric).first;
  }
  Curve& curve = found->second;
  const std::int64_t number = ++curve.count;
  const double value = measurement.value;
  if (!std::isfinite(value)) {
    curve.not_finite.emplace(number, measurement);
  } else {
    if (!curve.smallest || value < *curve.smallest) {
      curve.smallest = value;
      curve.new_smallest.emplace(number, measurement);
    }
    if (!curve.largest || value > *curve.largest) {
      curve.largest = value;
      curve.new_largest.emplace(number, measurement);
    }
  }
  curve.last.emplace(number, std::move(measurement));
  if (number % StrideAt(number) == 0) Give(curve, kept);
}

void CurveThinner::Finish(std::vector<Measurement>& kept) {
  for (auto& [metric, curve] : curves_) Give(curve, kept);
}

}  // namespace vernier
