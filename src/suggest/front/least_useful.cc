#include "suggest/front/least_useful.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "base/median.h"

namespace vernier {

namespace {

// As FullObjective, of any metric.
std::optional<double> FullMerit(const StudyView& view,
                                const Observation& observation,
                                std::size_t metric) {
  if (metric == 0) return FullObjective(observation, view.goal);
  const auto value = ValueOfMetric(observation, metric);
  if (!value.has_value() || observation.is_stopped_early) return std::nullopt;
  return MeritOf(view.metrics[metric].goal, *value);
}

}  // namespace

StudyView WithLeastUseful(const StudyView& view, std::size_t metric) {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  StudyView result = view;
  double best = kNone;
  double best_allowed = kNone;
  for (Observation& observation : result.completed) {
    if (const auto merit = FullMerit(view, observation, metric)) {
      best = std::max(best, *merit);
      if (MeetsConstraints(observation)) {
        best_allowed = std::max(best_allowed, *merit);
      }
    }
    if (best_allowed == kNone) continue;
    // The difference of huge numbers overflows.
    const double least = best_allowed - (best - best_allowed);
    observation.least_useful =
        std::max(least, std::numeric_limits<double>::lowest());
  }
  return result;
}

StudyView MetricWithLeastUseful(const StudyView& view, std::size_t metric) {
  constexpr std::size_t kNumFirst = 10;
  constexpr double kReach = 3;  // In distances from the median to the best.
  StudyView single = ViewOfMetric(view, metric);
  std::vector<double> first;
  std::optional<double> least;
  for (Observation& observation : single.completed) {
    const auto merit = FullObjective(observation, single.goal);
    if (merit.has_value() && first.size() < kNumFirst) {
      first.push_back(*merit);
      const auto [worst, best] =
          std::minmax_element(first.begin(), first.end());
      const double median = Median(first);
      least = std::max(*worst, median - kReach * (*best - median));
    }
    observation.least_useful = least;
  }
  return single;
}

std::optional<double> LeastUsefulOf(const StudyView& single) {
  return single.completed.empty() ? std::nullopt
                                  : single.completed.back().least_useful;
}

}  // namespace vernier
