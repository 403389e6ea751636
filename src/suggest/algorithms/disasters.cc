#include "suggest/algorithms/disasters.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "base/median.h"

namespace vernier {
namespace {

constexpr double kDisaster = 1e4;  // In distances from the median to the best.
constexpr double kLowest = std::numeric_limits<double>::lowest();

// Returns a merit for each result, unless it lacks the metric.
std::vector<std::optional<double>> MeritsOf(const StudyView& view,
                                            std::size_t metric) {
  std::vector<std::optional<double>> merits;
  merits.reserve(view.completed.size());
  for (const Observation& observation : view.completed) {
    std::optional<double> merit = ValueOfMetric(observation, metric);
    if (merit) merit = MeritOf(view.metrics[metric].goal, *merit);
    merits.push_back(merit);
  }
  return merits;
}

// Returns the merit below which a result is a disaster.
double LeastOf(const std::vector<std::optional<double>>& merits) {
  std::vector<double> given;
  for (const auto& merit : merits) {
    if (merit.has_value()) given.push_back(*merit);
  }
  if (given.empty()) return kLowest;
  const double best = *std::max_element(given.begin(), given.end());
  const double median = Median(std::move(given));
  // Where half of all tie for the best there is no scale.
  if (!(best > median)) return kLowest;
  return std::max(median - kDisaster * (best - median), kLowest);
}

}  // namespace

std::optional<StudyView> DisastersAsFailures(const StudyView& view) {
  const std::size_t n = view.completed.size();
  std::vector<std::vector<std::optional<double>>> merits;
  std::vector<bool> is_far(n, false);
  for (std::size_t k = 0; k < view.metrics.size(); ++k) {
    merits.push_back(MeritsOf(view, k));
    const double least = LeastOf(merits.back());
    for (std::size_t i = 0; i < n; ++i) {
      if (merits.back()[i].has_value() && *merits.back()[i] < least) {
        is_far[i] = true;
      }
    }
  }
  // std::nullopt is below all values.
  const auto is_better = [&](std::size_t a, std::size_t b) {
    return std::all_of(merits.begin(), merits.end(),
                       [&](const auto& each) { return each[a] > each[b]; });
  };
  std::optional<StudyView> result;
  for (std::size_t i = 0; i < n; ++i) {
    if (!is_far[i]) continue;
    bool is_beaten = false;
    for (std::size_t j = 0; j < n && !is_beaten; ++j) {
      is_beaten = MeetsConstraints(view.completed[j]) && is_better(j, i);
    }
    if (!is_beaten) continue;
    if (!result.has_value()) result = view;
    Observation& observation = result->completed[i];
    observation.objective.reset();
    observation.values.clear();
    observation.slacks.clear();
    observation.estimate.reset();
    observation.other_estimates.clear();
    observation.is_stopped_early = false;
  }
  return result;
}

}  // namespace vernier
