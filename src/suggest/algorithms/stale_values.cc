#include "suggest/algorithms/stale_values.h"

#include <cstddef>
#include <optional>
#include <set>

namespace vernier {
namespace {

constexpr std::size_t kLeastStale = 5;
constexpr std::size_t kLeastFresh = 5;
// A metric of two values may have the other one for as long.
constexpr std::size_t kLeastFreshValues = 3;

}  // namespace

std::optional<StudyView> WithoutStaleValues(const StudyView& view,
                                            std::size_t metric) {
  std::optional<double> first;
  std::size_t num_stale = 0;
  std::size_t num_fresh = 0;
  std::set<double> fresh;
  for (const Observation& observation : view.completed) {
    const std::optional<double> value = ValueOfMetric(observation, metric);
    if (!value.has_value()) continue;
    if (!first.has_value()) first = value;
    if (*value != *first) {
      ++num_fresh;
      fresh.insert(*value);
    } else if (num_fresh == 0) {
      ++num_stale;
    } else {
      return std::nullopt;
    }
  }
  if (num_stale < kLeastStale || num_fresh < kLeastFresh ||
      fresh.size() < kLeastFreshValues) {
    return std::nullopt;
  }
  StudyView result = view;
  std::erase_if(result.completed, [&](const Observation& observation) {
    return ValueOfMetric(observation, metric) == first;
  });
  return result;
}

}  // namespace vernier
