#include "trials/results/best_trials.h"

#include <algorithm>
#include <optional>

namespace vernier {

std::vector<TrialId> BestFirst(const StudySnapshot& study) {
  const double sign = ObjectiveOf(*study.spec).goal == Goal::kMaximize ? 1 : -1;
  struct Ranked {
    TrialId id;
    int rank;  // 2: it may be best; 1: it has a value; 0: it has none.
    double merit;
  };
  std::vector<Ranked> ranked;
  ranked.reserve(study.trials.size());
  ForEachTrial(study, [&](const TrialBrief& trial) {
    const bool has_value = HasEndValue(trial);
    ranked.push_back({trial.id, int{has_value} + int{MayBeBest(trial)},
                      has_value ? sign * trial.final_measurement->value : 0});
  });
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Ranked& a, const Ranked& b) {
                     if (a.rank != b.rank) return a.rank > b.rank;
                     return a.merit > b.merit;
                   });
  std::vector<TrialId> ids;
  ids.reserve(ranked.size());
  for (const Ranked& trial : ranked) ids.push_back(trial.id);
  return ids;
}

const TrialRecord* BestTrial(const StudySnapshot& study) {
  const bool is_maximized = ObjectiveOf(*study.spec).goal == Goal::kMaximize;
  std::optional<TrialBrief> best;
  ForEachTrial(study, [&](const TrialBrief& trial) {
    if (!MayBeBest(trial)) return;
    const double value = trial.final_measurement->value;
    if (best.has_value()) {
      const double so_far = best->final_measurement->value;
      if (is_maximized ? value <= so_far : value >= so_far) return;
    }
    best = trial;
  });
  return best.has_value() ? &study.trials.Get(best->id) : nullptr;
}

}  // namespace vernier
