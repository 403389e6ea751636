#include "trials/engine/study_view.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "store/present_space.h"
#include "store/study_kinds.h"
#include "trials/engine/time_budget.h"
#include "trials/engine/trial_duration.h"
#include "trials/engine/waiting_proposals.h"
#include "trials/results/best_trials.h"
#include "trials/results/final_values.h"

namespace vernier {
namespace {

// Returns the value with which a trial has ended. An infeasible one has none,
// whatever its client reported.
std::optional<double> ValueOf(const TrialBrief& trial) {
  if (!HasEndValue(trial)) return std::nullopt;
  return trial.final_measurement->value;
}

// Returns whether a suggester may learn from the trial. The last value of a
// trial that was cancelled or stopped by a user comes from an unfinished
// training and would mislead the model.
bool Teaches(const StudySnapshot& study, const TrialBrief& trial) {
  if (!IsTerminal(trial.state) || IsDeleted(trial)) return false;
  if (ValueOf(trial).has_value()) {
    return trial.end_cause != TrialEndCause::kCancelled &&
           trial.end_cause != TrialEndCause::kStoppedByUser;
  }
  // A program that was corrected since may succeed with the same parameters.
  const auto job = AsJob(study);
  const bool is_outdated = job.has_value() && trial.code_version > 0 &&
                           trial.code_version < job->run().code_version;
  if (is_outdated && IsMadeUpFor(trial.end_cause)) return false;
  return TeachesInfeasible(trial.end_cause);
}

// Returns whether a suggester learns from the trial: it may, and the trial lies
// in the present search space, which may have been edited since it was made.
bool IsObserved(const StudySnapshot& study, const PresentSpace& space,
                const TrialBrief& trial) {
  return Teaches(study, trial) &&
         (!space.edits().has_value() ||
          space.Read(study.trials.ParametersOf(trial.id)).has_value());
}

// Reads trials of a study in the space of the study that asks: itself, or one
// that resumes it.
class TrialReader {
 public:
  TrialReader(const StudySnapshot& asking, const StudySnapshot& study)
      : study_(study), own_(study) {
    if (&asking != &study) asking_.emplace(asking);
  }

  std::optional<Parameters> Read(TrialId id) const {
    std::optional<Parameters> parameters =
        own_.Read(study_.trials.ParametersOf(id));
    if (!parameters.has_value() || !asking_.has_value()) return parameters;
    return asking_->Read(*std::move(parameters));
  }

 private:
  const StudySnapshot& study_;
  const PresentSpace own_;
  std::optional<PresentSpace> asking_;  // Unset: the study itself asks.
};

// Appends the observations of `study`, which is `asking` or the study that it
// resumes.
void AppendObservations(const StudySnapshot& asking, const StudySnapshot& study,
                        const std::vector<TrialId>& observed, StudyView* view) {
  const TrialReader reader(asking, study);
  for (const TrialId id : observed) {
    std::optional<Parameters> parameters = reader.Read(id);
    if (!parameters.has_value()) continue;
    const TrialBrief trial = study.trials.Brief(id);
    Observation observation;
    // Numbers of another study would be taken for those of this one.
    if (&study == &asking) observation.trial = ToInt(id);
    observation.parameters = *std::move(parameters);
    observation.objective = ValueOf(trial);
    observation.is_stopped_early = observation.objective.has_value() &&
                                   trial.state == TrialState::kStopped;
    if (!view->metrics.empty() && observation.objective.has_value()) {
      const auto record = study.trials.Share(id);
      for (const MetricGoal& metric : study.spec->metrics) {
        observation.values.push_back(
            FinalValueOf(*study.spec, *record, metric.name));
      }
      observation.slacks = SlacksOfBounds(*study.spec, *record);
    }
    if (view->cost_weight > 0) {
      const auto duration = DurationOf(*study.trials.Share(id));
      if (duration.has_value()) {
        observation.duration = std::chrono::duration<double>(*duration).count();
      }
    }
    view->completed.push_back(std::move(observation));
  }
}

// A trial that lies outside of the space is never suggested, so that no point
// need keep away from it.
void AppendPending(const StudySnapshot& study, StudyView* view) {
  const PresentSpace space(study);
  for (const TrialId id : study.open) {
    auto parameters = space.Read(study.trials.Get(id).parameters);
    if (parameters.has_value()) {
      view->pending.push_back(*std::move(parameters));
    }
  }
}

// Whoever stops a trial does not want its point to come again.
void AppendGivenUp(const StudySnapshot& asking, const StudySnapshot& study,
                   StudyView* view) {
  if (CountOf(study.ended, TrialEndCause::kStoppedByUser) == 0) return;
  const TrialReader reader(asking, study);
  ForEachTrial(study, [&](const TrialBrief& trial) {
    if (trial.end_cause != TrialEndCause::kStoppedByUser) return;
    auto parameters = reader.Read(trial.id);
    if (parameters.has_value()) {
      view->given_up.push_back(*std::move(parameters));
    }
  });
}

// Adds who proposed the points of trials, and the proposals that wait. Most
// studies have none.
void AddProposals(const StudySnapshot& study, StudyView* view) {
  if (study.proposed.empty()) return;
  view->proposals = WaitingProposals(study);
  std::map<std::int64_t, std::string> sources;
  for (std::size_t n = 1; n <= study.trials.size(); ++n) {
    const TrialId id{static_cast<std::int64_t>(n)};
    const auto trial = study.trials.Share(id);
    const auto& record = trial->origin.record;
    if (!record.has_value() || record->source.empty()) continue;
    sources.emplace(ToInt(id), record->source);
    if (!IsTerminal(trial->state)) {
      view->pending_sources.push_back(record->source);
    }
  }
  view->trials_proposed = static_cast<std::int64_t>(sources.size());
  for (Observation& observation : view->completed) {
    const auto source = sources.find(observation.trial);
    if (source != sources.end()) observation.source = source->second;
  }
}

// Returns whether some DOUBLE parameter is active in every configuration, so
// that random points never repeat. A conditional one is not enough, because
// points may repeat where it is inactive.
bool IsNeverRepeated(const std::vector<ParameterSpec>& space) {
  return std::any_of(space.begin(), space.end(), [](const ParameterSpec& spec) {
    return spec.type == ParameterType::kDouble && !spec.condition.has_value() &&
           spec.min_value < spec.max_value;
  });
}

// Adds the bounds on trials' results, in the order of SlacksOfBounds.
void AddBounds(const StudySpec& spec, StudyView* view) {
  for (const OutcomeConstraint& constraint : spec.constraints) {
    const std::size_t count = BoundsOf(constraint).size();
    if (count == 2) {
      // The difference of huge numbers overflows.
      view->bands.push_back({view->num_constraints,
                             std::min(*constraint.max - *constraint.min,
                                      std::numeric_limits<double>::max())});
    }
    view->num_constraints += count;
  }
}

StudyView ViewWithoutTrials(const StudySnapshot& study) {
  StudyView view;
  view.space = study.spec->parameters;
  view.parameter_constraints = study.spec->parameter_constraints;
  view.goal = ObjectiveOf(*study.spec).goal;
  AddBounds(*study.spec, &view);
  if (study.spec->metrics.size() > 1 || view.num_constraints > 0) {
    for (const MetricGoal& metric : study.spec->metrics) {
      view.metrics.push_back({metric.goal, metric.reference});
    }
  }
  view.repeats = study.spec->repeats;
  view.beliefs = study.spec->beliefs;
  view.seed = study.seed;
  view.trials_created = static_cast<std::int64_t>(study.trials.size());
  return view;
}

// The cost of trials counts by the part of a time budget that is left. While
// much is left, it is spent well on cheap trials; at its end nothing else is
// left to spend it on.
StudyView ViewForTrials(const StudySnapshot& study) {
  StudyView view = ViewWithoutTrials(study);
  view.cost_weight =
      study.spec->is_per_cost ? 1 : TimeBudgetLeft(study).value_or(0);
  return view;
}

}  // namespace

std::vector<TrialId> ObservedTrials(const StudySnapshot& study) {
  const PresentSpace space(study);
  std::vector<std::pair<std::optional<Timestamp>, TrialId>> ends;
  for (std::size_t n = 1; n <= study.trials.size(); ++n) {
    const TrialBrief trial =
        study.trials.Brief(TrialId{static_cast<std::int64_t>(n)});
    if (IsObserved(study, space, trial)) {
      ends.emplace_back(trial.ended_at, trial.id);
    }
  }
  // The order is by the ends, so that a late result comes after all earlier
  // ones. Otherwise what was learnt from those would have to be learnt again.
  std::sort(ends.begin(), ends.end());
  std::vector<TrialId> observed;
  observed.reserve(ends.size());
  for (const auto& [ended_at, id] : ends) observed.push_back(id);
  return observed;
}

bool HasMoreObservedThan(const StudySnapshot& study, std::size_t count) {
  const PresentSpace space(study);
  std::size_t observed = 0;
  for (std::size_t n = 1; n <= study.trials.size() && observed <= count; ++n) {
    const TrialBrief trial =
        study.trials.Brief(TrialId{static_cast<std::int64_t>(n)});
    observed += IsObserved(study, space, trial);
  }
  return observed > count;
}

std::size_t CountOutside(const StudySnapshot& study) {
  std::size_t outside = 0;
  const PresentSpace space(study);
  if (!space.edits().has_value()) return outside;
  ForEachTrial(study, [&](const TrialBrief& trial) {
    outside += !space.Read(study.trials.ParametersOf(trial.id)).has_value();
  });
  return outside;
}

StudyView MakeStudyView(const StudySnapshot& study,
                        const StudySnapshot* resumed) {
  StudyView view = ViewForTrials(study);
  if (resumed != nullptr) {
    AppendObservations(study, *resumed, ObservedTrials(*resumed), &view);
    AppendGivenUp(study, *resumed, &view);
  }
  AppendObservations(study, study, ObservedTrials(study), &view);
  AppendPending(study, &view);
  AppendGivenUp(study, study, &view);
  AddProposals(study, &view);
  return view;
}

StudyView MakeStudyView(const StudySnapshot& study,
                        const std::vector<TrialId>& observed) {
  StudyView view = ViewForTrials(study);
  AppendObservations(study, study, observed, &view);
  AppendPending(study, &view);
  AppendGivenUp(study, study, &view);
  return view;
}

void AppendEnd(const StudySnapshot& study, TrialId id, StudyView* view) {
  if (!IsObserved(study, PresentSpace(study), study.trials.Brief(id))) return;
  AppendObservations(study, study, {id}, view);
}

bool IsBlind(Algorithm algorithm, const StudySpec& spec) {
  const bool is_random = algorithm == Algorithm::kRandomSearch ||
                         algorithm == Algorithm::kQuasiRandomSearch;
  // Constraints may leave a DOUBLE with one value only, and repeats need the
  // results.
  return is_random && !IsRepeating(spec.repeats) &&
         spec.parameter_constraints.empty() && IsNeverRepeated(spec.parameters);
}

StudyView MakeStudyViewFor(Algorithm algorithm, const StudySnapshot& study,
                           const StudySnapshot* resumed) {
  return IsBlind(algorithm, *study.spec) ? ViewWithoutTrials(study)
                                         : MakeStudyView(study, resumed);
}

}  // namespace vernier
