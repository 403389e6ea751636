#include "suggest/suggester.h"

#include "suggest/gaussian_process_suggester.h"
#include "suggest/grid_search_suggester.h"
#include "suggest/quasi_random_suggester.h"
#include "suggest/random_search_suggester.h"

namespace vernier {

std::optional<Recommendation> BestObserved(const StudyView& view) {
  std::optional<Recommendation> best;
  double best_value = 0;
  for (std::size_t i = 0; i < view.completed.size(); ++i) {
    const Observation& observation = view.completed[i];
    if (!observation.objective.has_value() || observation.is_stopped_early) {
      continue;
    }
    const double value = view.goal == Goal::kMaximize ? *observation.objective
                                                      : -*observation.objective;
    if (best.has_value() && !(value > best_value)) continue;
    best = Recommendation{i, std::nullopt};
    best_value = value;
  }
  return best;
}

absl::StatusOr<std::optional<Recommendation>> Suggester::Recommend(
    const StudyView& view) const {
  return BestObserved(view);
}

std::unique_ptr<Suggester> MakeSuggester(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::kDefault:
      break;
    case Algorithm::kGridSearch:
      return std::make_unique<GridSearchSuggester>();
    case Algorithm::kRandomSearch:
      return std::make_unique<RandomSearchSuggester>();
    case Algorithm::kQuasiRandomSearch:
      return std::make_unique<QuasiRandomSuggester>();
  }
  return std::make_unique<GaussianProcessSuggester>();
}

}  // namespace vernier
