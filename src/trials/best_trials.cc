#include "trials/best_trials.h"

#include <algorithm>

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
  for (std::size_t n = 1; n <= study.trials.size(); ++n) {
    const TrialRecord& trial =
        study.trials.Get(TrialId{static_cast<std::int64_t>(n)});
    if (IsDeleted(trial)) continue;
    const auto& value = trial.final_measurement;
    ranked.push_back({trial.id, value.has_value(),
                      value.has_value() ? sign * value->value : 0});
  }
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

}  // namespace vernier
