#include "suggest/space/study_view.h"

#include <algorithm>

namespace vernier {

std::optional<double> FullObjective(const Observation& observation, Goal goal) {
  if (!observation.objective.has_value() || observation.is_stopped_early) {
    return std::nullopt;
  }
  return MeritOf(goal, *observation.objective);
}

bool MeetsConstraints(const Observation& observation) {
  return std::all_of(
      observation.slacks.begin(), observation.slacks.end(),
      [](const auto& slack) { return slack.has_value() && *slack >= 0; });
}

namespace {

// Returns the view with `value_of` as the objective. Observations for which it
// returns nothing are left out, and infeasible ones stay.
template <typename ValueOf>
StudyView ViewOf(const StudyView& view, Goal goal, ValueOf value_of) {
  StudyView single = view;
  single.goal = goal;
  single.metrics.clear();
  single.num_constraints = 0;
  std::erase_if(single.completed, [&](const Observation& observation) {
    return observation.objective.has_value() &&
           !value_of(observation).has_value();
  });
  for (Observation& observation : single.completed) {
    if (observation.objective.has_value()) {
      observation.objective = value_of(observation);
    }
    observation.values.clear();
    observation.slacks.clear();
  }
  return single;
}

}  // namespace

bool SaysSomethingOf(const Observation& observation, std::size_t metric) {
  if (!observation.objective.has_value()) return true;
  const bool is_cut_short = metric > 0 && observation.is_stopped_early;
  return !is_cut_short && observation.values[metric].has_value();
}

StudyView ViewOfMetric(const StudyView& view, std::size_t metric) {
  StudyView single = ViewOf(
      view, view.metrics[metric].goal,
      [metric](const Observation& observation) -> std::optional<double> {
        return SaysSomethingOf(observation, metric) ? observation.values[metric]
                                                    : std::nullopt;
      });
  // The variance is that of the first metric.
  for (Observation& observation : single.completed) {
    if (metric > 0) observation.variance.reset();
  }
  return single;
}

StudyView ViewOfSlack(const StudyView& view, std::size_t constraint) {
  StudyView single = ViewOf(
      view, Goal::kMaximize,
      [constraint](const Observation& observation) -> std::optional<double> {
        if (observation.is_stopped_early) return std::nullopt;
        return observation.slacks[constraint];
      });
  for (Observation& observation : single.completed) {
    observation.variance.reset();
  }
  // The frequency of failures is no information about a slack.
  std::erase_if(single.completed, [](const Observation& observation) {
    return !observation.objective.has_value();
  });
  return single;
}

}  // namespace vernier
