#include "cluster/metrics/thinning.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace vernier {
namespace {

// Indices of what stays of one metric.
struct Kept {
  std::size_t last = 0;
  std::optional<std::size_t> smallest, largest, not_finite;
};

}  // namespace

std::vector<Measurement> Thinned(std::vector<Measurement> measurements,
                                 std::size_t limit) {
  if (measurements.size() <= limit) return measurements;
  std::map<std::string, Kept> metrics;
  for (std::size_t i = 0; i < measurements.size(); ++i) {
    const double value = measurements[i].value;
    Kept& kept = metrics[measurements[i].metric];
    kept.last = i;
    if (!std::isfinite(value)) {
      kept.not_finite = i;
      continue;
    }
    if (!kept.smallest || value < measurements[*kept.smallest].value) {
      kept.smallest = i;
    }
    if (!kept.largest || value > measurements[*kept.largest].value) {
      kept.largest = i;
    }
  }
  std::set<std::size_t> chosen;
  for (const auto& [metric, kept] : metrics) {
    chosen.insert(kept.last);
    for (const auto& index : {kept.smallest, kept.largest, kept.not_finite}) {
      if (index) chosen.insert(*index);
    }
  }
  if (limit > 0) {
    const std::size_t stride = (measurements.size() + limit - 1) / limit;
    for (std::size_t i = 0; i < measurements.size(); i += stride) {
      chosen.insert(i);
    }
  }
  std::vector<Measurement> thinned;
  thinned.reserve(chosen.size());
  for (const std::size_t index : chosen) {
    thinned.push_back(std::move(measurements[index]));
  }
  return thinned;
}

}  // namespace vernier
