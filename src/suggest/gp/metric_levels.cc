#include "suggest/gp/metric_levels.h"

#include <algorithm>
#include <cstddef>

namespace vernier {
namespace {

constexpr std::size_t kLeastRowsOfLevel = 2;  // On average.

// Returns the position of the level nearest to `target`.
std::size_t NearestTo(double target, const std::vector<double>& levels) {
  const auto above = std::lower_bound(levels.begin(), levels.end(), target);
  if (above == levels.begin()) return 0;
  const auto position = static_cast<std::size_t>(above - levels.begin());
  if (above == levels.end()) return position - 1;
  return target - levels[position - 1] < *above - target ? position - 1
                                                         : position;
}

}  // namespace

MetricLevels::MetricLevels(const TrainingData& data) {
  const auto& knots = data.warp.knots;
  const std::size_t num_rows = UncensoredRows(data).size();
  if (knots.size() < 2 || num_rows < kLeastRowsOfLevel * knots.size()) return;
  for (const auto& knot : knots) levels_.push_back(knot.second);
}

Eigen::VectorXd MetricLevels::Nearest(const Eigen::VectorXd& targets) const {
  if (is_empty()) return targets;
  return targets.unaryExpr(
      [&](double target) { return levels_[NearestTo(target, levels_)]; });
}

Eigen::VectorXd MetricLevels::Exceeded(const Eigen::VectorXd& levels) const {
  if (is_empty()) return levels;
  return levels.unaryExpr([&](double target) {
    const std::size_t level = NearestTo(target, levels_);
    const std::size_t below = std::min(level, levels_.size() - 2);
    return levels_[level] + (levels_[below + 1] - levels_[below]) / 2;
  });
}

}  // namespace vernier
