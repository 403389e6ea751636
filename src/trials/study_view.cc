#include "trials/study_view.h"

#include "trials/best_trials.h"

namespace vernier {
namespace {

void AppendObservations(const StudySnapshot& study, StudyView* view) {
  for (std::size_t n = 1; n <= study.trials.size(); ++n) {
    const TrialRecord& trial =
        study.trials.Get(TrialId{static_cast<std::int64_t>(n)});
    if (!IsTerminal(trial.state)) continue;
    if (trial.final_measurement.has_value()) {
      // A cancelled trial's last value is of an unfinished training: it would
      // mislead more than it teaches.
      if (trial.end_cause == TrialEndCause::kCancelled) continue;
      view->completed.push_back(
          {trial.parameters, trial.final_measurement->value,
           trial.end_cause == TrialEndCause::kStoppedEarly});
    } else if (TeachesInfeasible(trial.end_cause)) {
      view->completed.push_back({trial.parameters, std::nullopt});
    }
  }
}

}  // namespace

StudyView MakeStudyView(const StudySnapshot& study,
                        const StudySnapshot* resumed) {
  StudyView view;
  view.space = SearchSpaceOf(*study.job.spec);
  view.goal = GoalOf(study.job);
  view.seed = study.job.seed;
  view.trials_created = static_cast<std::int64_t>(study.trials.size());
  if (resumed != nullptr) AppendObservations(*resumed, &view);
  AppendObservations(study, &view);
  for (TrialId id : study.open) {
    view.pending.push_back(study.trials.Get(id).parameters);
  }
  return view;
}

}  // namespace vernier
