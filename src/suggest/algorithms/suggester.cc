#include "suggest/algorithms/suggester.h"

namespace vernier {

std::optional<Recommendation> BestObserved(const StudyView& view) {
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

absl::StatusOr<Insights> Suggester::Examine(
    const StudyView& /*view*/, const InsightsRequest& /*request*/) const {
  Insights insights;
  insights.reason = "this algorithm has no model";
  return insights;
}

}  // namespace vernier
