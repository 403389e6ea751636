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
  single.bands.clear();
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

namespace {

// Returns the estimate of a metric of a training that was cut short; null if
// there is none.
const std::optional<FinalEstimate>& EstimateOf(const Observation& observation,
                                               std::size_t metric) {
  static const std::optional<FinalEstimate> kNone;
  if (metric == 0) return observation.estimate;
  return observation.other_estimates.empty()
             ? kNone
             : observation.other_estimates[metric];
}

// Returns the value of a metric that a model of it learns from. What a training
// that was cut short has reported last is one for the first metric; for the
// others it must have an estimate, too.
std::optional<double> ValueFor(const Observation& observation,
                               std::size_t metric) {
  const bool needs_estimate = metric > 0 && observation.is_stopped_early;
  if (!needs_estimate) return observation.values[metric];
  const auto& estimate = EstimateOf(observation, metric);
  if (!estimate.has_value()) return std::nullopt;
  return observation.values[metric].value_or(estimate->mean);
}

}  // namespace

std::optional<double> ValueOfMetric(const Observation& observation,
                                    std::size_t metric) {
  if (!observation.objective.has_value()) return std::nullopt;
  return ValueFor(observation, metric);
}

std::size_t NumOwnResults(const StudyView& view) {
  if (view.trials_proposed == 0) return view.completed.size();
  return static_cast<std::size_t>(std::count_if(
      view.completed.begin(), view.completed.end(),
      [](const Observation& result) { return result.source.empty(); }));
}

bool SaysSomethingOf(const Observation& observation, std::size_t metric) {
  return !observation.objective.has_value() ||
         ValueFor(observation, metric).has_value();
}

StudyView ViewOfMetric(const StudyView& view, std::size_t metric) {
  StudyView single = ViewOf(view, view.metrics[metric].goal,
                            [metric](const Observation& observation) {
                              return ValueFor(observation, metric);
                            });
  for (Observation& observation : single.completed) {
    if (metric > 0) {
      observation.variance.reset();  // That of the first metric.
      observation.estimate = EstimateOf(observation, metric);
    }
    observation.other_estimates.clear();
  }
  return single;
}

namespace {

// Returns the view with `value_of` the slacks of whole trainings as the
// objective.
template <typename ValueOf>
StudyView ViewOfSlacks(const StudyView& view, ValueOf value_of) {
  StudyView single =
      ViewOf(view, Goal::kMaximize,
             [&](const Observation& observation) -> std::optional<double> {
               if (observation.is_stopped_early) return std::nullopt;
               return value_of(observation.slacks);
             });
  for (Observation& observation : single.completed) {
    observation.variance.reset();
    observation.other_estimates.clear();
  }
  // The frequency of failures is no information about a slack.
  std::erase_if(single.completed, [](const Observation& observation) {
    return !observation.objective.has_value();
  });
  return single;
}

}  // namespace

StudyView ViewOfSlack(const StudyView& view, std::size_t constraint) {
  return ViewOfSlacks(view,
                      [&](const auto& slacks) { return slacks[constraint]; });
}

StudyView ViewOfBand(const StudyView& view, const SlackBand& band) {
  StudyView single =
      ViewOfSlacks(view, [&](const auto& slacks) -> std::optional<double> {
        const auto& above_low = slacks[band.first];
        const auto& below_high = slacks[band.first + 1];
        if (!above_low.has_value() || !below_high.has_value()) {
          return std::nullopt;
        }
        return *above_low / 2 - *below_high / 2;
      });
  single.half_band = band.width / 2;
  return single;
}

}  // namespace vernier
