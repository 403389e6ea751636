#include "suggest/curves/curve_levels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

namespace vernier {
namespace {

constexpr double kLevelRatio = 1.35;

}  // namespace

std::vector<std::int64_t> MakeLevels(std::int64_t first_step,
                                     std::int64_t last_step) {
  std::vector<std::int64_t> levels;
  const std::int64_t first = std::max<std::int64_t>(1, first_step);
  if (last_step < 1) return levels;
  levels.push_back(last_step);
  auto step = static_cast<double>(last_step);
  while (std::ssize(levels) < kMaxLevels && levels.back() > first) {
    step /= kLevelRatio;
    const auto rounded = static_cast<std::int64_t>(std::llround(step));
    levels.push_back(std::clamp(rounded, first, levels.back() - 1));
  }
  std::reverse(levels.begin(), levels.end());
  return levels;
}

LevelValues ValuesAtLevels(const Curve& reports,
                           const std::vector<std::int64_t>& levels) {
  LevelValues result;
  auto report = reports.begin();
  for (std::size_t level = 0; level < levels.size(); ++level) {
    if (reports.empty() || reports.back().step < levels[level]) break;
    double mean = 0;
    double count = 0;
    for (; report != reports.end() && report->step <= levels[level]; ++report) {
      // Reports from long before the first level say little about it.
      if (level == 0 && report->step < levels.front() / 2) continue;
      ++count;
      mean += report->value / count - mean / count;
    }
    const std::optional<double> between = ValueAt(reports, levels[level]);
    if (count > 0 || between.has_value()) {
      if (result.values.empty()) result.first = level;
      result.values.push_back(count > 0 ? mean : *between);
    }
  }
  return result;
}

}  // namespace vernier
