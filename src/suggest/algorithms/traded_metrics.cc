#include "suggest/algorithms/traded_metrics.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "suggest/gp/fit_schedule.h"

namespace vernier {
namespace {

// Values that differ by less than this part of them are equal: a sum that is
// taken in another order differs by so much.
constexpr double kRounding = 1e-12;

bool IsTraded(const StudyView& view, std::size_t metric) {
  std::int64_t count = 0;
  double low = 0;
  double high = 0;
  for (const Observation& observation : view.completed) {
    const std::optional<double> value = ValueOfMetric(observation, metric);
    if (!value.has_value()) continue;
    low = count == 0 ? *value : std::min(low, *value);
    high = count == 0 ? *value : std::max(high, *value);
    ++count;
  }
  // Values are halved first, because differences of huge numbers overflow.
  const double size = std::max(std::abs(low), std::abs(high));
  return count >= kFirstFit && high / 2 - low / 2 > kRounding / 2 * size;
}

}  // namespace

std::vector<std::size_t> TradedMetrics(const StudyView& view) {
  std::vector<std::size_t> traded;
  for (std::size_t k = 0; k < view.metrics.size(); ++k) {
    if (IsTraded(view, k)) traded.push_back(k);
  }
  return traded;
}

}  // namespace vernier
