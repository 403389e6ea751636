#include "suggest/algorithms/suggester.h"

#include <cstdint>

#include "suggest/space/point_results.h"

namespace vernier {

namespace {

// Returns the position of the best point's first trial; nullopt if none is
// best, for example because all results are of an earlier study.
std::optional<std::size_t> BestByMean(const StudyView& view) {
  const PointTable points = PointsOf(view);
  const std::optional<std::size_t> best = points.Best();
  if (!best.has_value()) return std::nullopt;
  const std::int64_t trial = points.points()[*best].trials.front();
  for (std::size_t i = 0; i < view.completed.size(); ++i) {
    if (view.completed[i].trial == trial) return i;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Recommendation> BestObserved(const StudyView& view) {
  if (IsRepeating(view.repeats)) {
    const std::optional<std::size_t> best = BestByMean(view);
    if (best.has_value()) return Recommendation{*best, std::nullopt};
  }
  std::optional<Recommendation> best;
  double best_value = 0;
  for (std::size_t i = 0; i < view.completed.size(); ++i) {
    const std::optional<double> value =
        FullObjective(view.completed[i], view.goal);
    if (!value.has_value() || !MeetsConstraints(view.completed[i])) continue;
    if (best.has_value() && !(*value > best_value)) continue;
    best = Recommendation{i, std::nullopt};
    best_value = *value;
  }
  return best;
}

absl::StatusOr<std::optional<Recommendation>> Suggester::Recommend(
    const StudyView& view) const {
  return BestObserved(view);
}

absl::StatusOr<std::vector<Prediction>> Suggester::Predict(
    const StudyView& /*view*/,
    const std::vector<Parameters>& /*points*/) const {
  return std::vector<Prediction>();
}

absl::StatusOr<Insights> Suggester::Examine(
    const StudyView& /*view*/, const InsightsRequest& /*request*/) const {
  Insights insights;
  insights.reason = "this algorithm has no model";
  return insights;
}

}  // namespace vernier
