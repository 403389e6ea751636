#include "trials/results/best_trials.h"

#include <algorithm>
#include <optional>

#include "suggest/space/study_view.h"
#include "trials/results/final_values.h"
#include "trials/results/pareto_front.h"
#include "trials/results/point_means.h"

namespace vernier {

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
  if (IsRepeating(study.spec->repeats)) {
    // Trials of one point count by its mean.
    const PointTable points = PointsOf(study);
    for (Ranked& trial : ranked) {
      const auto place = points.Find(study.trials.ParametersOf(trial.id));
      if (trial.rank < 2 || !place.has_value()) continue;
      const PointResults& point = points.points()[*place];
      trial.merit = points.Bound(point);
      if (point.is_ruled_out) trial.rank = 1;
    }
  }
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
  if (IsRepeating(study.spec->repeats)) {
    const PointTable points = PointsOf(study);
    const auto place = points.Best();
    if (!place.has_value()) return nullptr;
    return &study.trials.Get(TrialId{points.points()[*place].trials.front()});
  }
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
