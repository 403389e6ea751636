#include "trials/results/point_means.h"

#include <algorithm>
#include <cstddef>

#include "suggest/space/study_view.h"
#include "trials/results/end_values.h"

namespace vernier {
namespace {

// Returns whether a trial that may not be the best says something against its
// point. What a user stopped or cancelled says nothing.
bool RulesOut(const TrialBrief& trial) {
  if (trial.end_cause == TrialEndCause::kCancelled ||
      trial.end_cause == TrialEndCause::kStoppedByUser) {
    return false;
  }
  return HasEndValue(trial) || TeachesInfeasible(trial.end_cause);
}

}  // namespace

PointTable PointsOf(const StudySnapshot& study) {
  const Goal goal = ObjectiveOf(*study.spec).goal;
  PointTable points;
  ForEachTrial(study, [&](const TrialBrief& trial) {
    if (!IsTerminal(trial.state)) return;
    std::optional<double> merit;
    if (MayBeBest(study, trial)) {
      merit = MeritOf(goal, trial.final_measurement->value);
    } else if (!RulesOut(trial)) {
      return;
    }
    points.Add(study.trials.ParametersOf(trial.id), ToInt(trial.id), merit);
  });
  return points;
}

PointMean MeanOf(const StudySnapshot& study, const PointTable& points,
                 const PointResults& point) {
  return {TrialId{point.trials.front()}, point.count(),
          MeritOf(ObjectiveOf(*study.spec).goal, point.mean),
          points.HalfInterval(point)};
}

std::optional<PointMean> PointMeanOf(const StudySnapshot& study,
                                     TrialId trial) {
  if (!IsRepeating(study.spec->repeats)) return std::nullopt;
  const PointTable points = PointsOf(study);
  const auto place = points.Find(study.trials.ParametersOf(trial));
  if (!place.has_value() || points.points()[*place].count() == 0) {
    return std::nullopt;
  }
  return MeanOf(study, points, points.points()[*place]);
}

std::vector<PointMean> RepeatedPoints(const StudySnapshot& study,
                                      std::size_t most) {
  std::vector<PointMean> means;
  if (!IsRepeating(study.spec->repeats)) return means;
  const PointTable points = PointsOf(study);
  std::vector<const PointResults*> repeated;
  for (const PointResults& point : points.points()) {
    if (point.count() > 1 && !point.is_ruled_out) repeated.push_back(&point);
  }
  std::stable_sort(repeated.begin(), repeated.end(),
                   [&](const PointResults* a, const PointResults* b) {
                     return points.Bound(*a) > points.Bound(*b);
                   });
  repeated.resize(std::min(repeated.size(), most));
  for (const PointResults* point : repeated) {
    means.push_back(MeanOf(study, points, *point));
  }
  return means;
}

}  // namespace vernier
