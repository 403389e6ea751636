#include "trials/results/best_trials.h"

#include <algorithm>
#include <optional>

#include "suggest/space/study_view.h"
#include "trials/results/final_values.h"
#include "trials/results/pareto_front.h"

namespace vernier {

bool MayBeBest(const StudySnapshot& study, const TrialBrief& trial) {
  return trial.state == TrialState::kCompleted && HasEndValue(trial) &&
         (study.spec->constraints.empty() ||
          MeetsConstraints(*study.spec, *study.trials.Share(trial.id)));
}

TrialRanks::TrialRanks(const StudySnapshot& study) : study_(study) {
  if (study.spec->metrics.size() > 1) optimal_ = OptimalTrials(study);
}

int TrialRanks::Of(const TrialBrief& trial) const {
  if (IsOptimal(trial.id)) return 3;
  if (MayBeBest(study_, trial)) return 2;
  return HasEndValue(trial) ? 1 : 0;
}

bool TrialRanks::IsOptimal(TrialId trial) const {
  return std::binary_search(optimal_.begin(), optimal_.end(), trial);
}

std::vector<TrialId> BestFirst(const StudySnapshot& study) {
  const Goal goal = ObjectiveOf(*study.spec).goal;
  struct Ranked {
    TrialId id;
    int rank;
    double merit;
  };
  const TrialRanks ranks(study);
  std::vector<Ranked> ranked;
  ranked.reserve(study.trials.size());
  ForEachTrial(study, [&](const TrialBrief& trial) {
    ranked.push_back({trial.id, ranks.Of(trial),
                      HasEndValue(trial)
                          ? MeritOf(goal, trial.final_measurement->value)
                          : 0});
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
  if (study.spec->metrics.size() > 1) return nullptr;
  const Goal goal = ObjectiveOf(*study.spec).goal;
  std::optional<TrialBrief> best;
  ForEachTrial(study, [&](const TrialBrief& trial) {
    if (!HasEndValue(trial)) return;
    const double merit = MeritOf(goal, trial.final_measurement->value);
    if (best.has_value() &&
        merit <= MeritOf(goal, best->final_measurement->value)) {
      return;
    }
    if (MayBeBest(study, trial)) best = trial;
  });
  return best.has_value() ? &study.trials.Get(best->id) : nullptr;
}

}  // namespace vernier
