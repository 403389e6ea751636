#include "trials/best_trials.h"

#include <algorithm>
#include <optional>

namespace vernier {

std::vector<TrialId> BestFirst(const StudySnapshot& study) {
  const double sign = ObjectiveOf(*study.spec).goal == Goal::kMaximize ? 1 : -1;
  struct Ranked {
    TrialId id;
    bool has_value;
    double merit;
  };
  std::vector<Ranked> ranked;
  ranked.reserve(study.trials.size());
  ForEachTrial(study, [&](const TrialBrief& trial) {
    const auto& value = trial.final_measurement;
    ranked.push_back({trial.id, value.has_value(),
                      value.has_value() ? sign * value->value : 0});
  });
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Ranked& a, const Ranked& b) {
                     if (a.has_value != b.has_value) return a.has_value;
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
    if (!trial.final_measurement.has_value()) return;
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
