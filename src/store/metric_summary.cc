#include "store/metric_summary.h"

#include <chrono>
#include <cmath>

#include "study/find_by_name.h"

namespace vernier {
namespace {

// True for a real time. A value whose source has no times gets an artificial
// one near 1970 (PlaceTime).
bool HasTime(Timestamp at) {
  return at.time_since_epoch() > std::chrono::hours(24 * 365);
}

// True if a value at `at`, which is being added, follows a value at `other` of
// the same attempt and source. Times give the order. Earlier releases gave a
// value without a time of its own the time at which it was read; if only one of
// the two has a real time, they cannot be compared, and the added value counts
// as the later one.
bool ComesBehind(MetricRoad road, Timestamp at, Timestamp other) {
  const bool is_anew = IsTimedByReader(road) && HasTime(at) != HasTime(other);
  return is_anew || at >= other;
}

// True if the measurement, which is being added, is newer than another value of
// the same source and trial.
bool IsNewer(int attempt, const Measurement& measurement, int other_attempt,
             Timestamp other) {
  return attempt > other_attempt ||
         (attempt == other_attempt &&
          ComesBehind(measurement.road, measurement.reported_at, other));
}

void FoldNotFinite(int attempt, const Measurement& measurement,
                   MetricSummary* summary) {
  ++summary->not_finite_count;
  if (summary->last.has_value() &&
      !IsNewer(attempt, measurement, summary->last_attempt,
               summary->last_reported_at)) {
    return;
  }
  auto& newest = summary->not_finite_last;
  if (newest.has_value() &&
      !IsNewer(attempt, measurement, newest->attempt, newest->reported_at)) {
    return;
  }
  newest = {measurement.step, measurement.value, attempt,
            measurement.reported_at};
}

void FoldFinite(Goal goal, int attempt, const Measurement& measurement,
                MetricSummary* summary) {
  const FinalMeasurement value{measurement.step, measurement.value};
  ++summary->finite_count;
  auto& not_finite = summary->not_finite_last;
  if (not_finite.has_value() &&
      IsNewer(attempt, measurement, not_finite->attempt,
              not_finite->reported_at)) {
    not_finite.reset();
  }
  if (!summary->last.has_value() ||
      IsNewer(attempt, measurement, summary->last_attempt,
              summary->last_reported_at)) {
    summary->last = value;
    summary->last_attempt = attempt;
    summary->last_reported_at = measurement.reported_at;
  }
  if (!summary->best.has_value() ||
      IsWorse(summary->best->value, value.value, goal)) {
    summary->best = value;
  }
}

void FoldValue(Goal goal, int attempt, const Measurement& measurement,
               MetricSummary* summary) {
  if (std::isfinite(measurement.value)) {
    FoldFinite(goal, attempt, measurement, summary);
  } else {
    FoldNotFinite(attempt, measurement, summary);
  }
}

}  // namespace

std::optional<Goal> GoalOfNeeded(const StudySpec& spec,
                                 std::string_view metric) {
  const MetricGoal* const goal = FindByName(spec.metrics, metric);
  if (goal != nullptr) return goal->goal;
  for (const OutcomeConstraint& each : spec.constraints) {
    if (each.metric == metric) return Goal::kMaximize;
  }
  return std::nullopt;
}

const MetricSummary* FindSummary(const StudySpec& spec,
                                 const TrialRecord& trial,
                                 std::string_view metric) {
  if (metric == ObjectiveOf(spec).name) return &trial.objective;
  const auto found = trial.others.find(std::string(metric));
  return found == trial.others.end() ? nullptr : &found->second;
}

void Fold(Goal goal, int attempt, const Measurement& measurement,
          MetricSummary* summary) {
  // The values so far, if any, are from a less explicit source and no longer
  // count.
  if (summary->road != measurement.road) {
    *summary = {};
    summary->road = measurement.road;
  }
  FoldValue(goal, attempt, measurement, summary);
}

MetricSummary Summarize(Goal goal, std::optional<MetricRoad> road,
                        std::span<const Measurement> measurements) {
  MetricSummary summary;
  summary.road = road;
  if (!road.has_value()) {
    for (const Measurement& each : measurements) {
      if (!summary.road.has_value() || IsClearer(each.road, *summary.road)) {
        summary.road = each.road;
      }
    }
  }
  for (const Measurement& each : measurements) {
    if (each.road != summary.road) continue;
    FoldValue(goal, each.attempt, each, &summary);
  }
  return summary;
}

}  // namespace vernier
