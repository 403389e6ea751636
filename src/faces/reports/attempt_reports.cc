#include "faces/reports/attempt_reports.h"

#include <utility>

#include "base/status_macros.h"
#include "study/metrics/metric_sources.h"

namespace vernier {
namespace {

// Whether the attempt is to end. One that is gone is, too.
bool ShouldStop(const StoreSnapshot& snapshot, const AttemptKey& key) {
  const auto study = snapshot.find(key.study);
  if (study == snapshot.end()) return true;
  const TrialRecord& trial = study->second->trials.Get(key.trial);
  const AttemptRecord& attempt =
      trial.attempts[static_cast<std::size_t>(key.number - 1)];
  return attempt.kill_wanted || IsTerminal(attempt.state) ||
         trial.state == TrialState::kStopping || IsTerminal(trial.state);
}

}  // namespace

absl::Status CheckListens(const StoreSnapshot& snapshot,
                          const AttemptKey& attempt) {
  const auto study = snapshot.find(attempt.study);
  if (study == snapshot.end()) {
    return absl::NotFoundError("the attempt's job is gone");
  }
  const auto& sources = study->second->run->spec->vernier.metric_sources;
  if (ListensTo(sources, MetricSourceKind::kReport)) return absl::OkStatus();
  return absl::FailedPreconditionError(
      "the job does not listen to reports: vernier.metricSources has no "
      "REPORT");
}

std::int64_t LastStepOf(const StoreSnapshot& snapshot,
                        const AttemptKey& attempt) {
  const auto study = snapshot.find(attempt.study);
  if (study == snapshot.end()) return 0;
  const std::optional<FinalMeasurement>& last =
      study->second->trials.Get(attempt.trial).objective.last;
  return last.has_value() ? last->step : 0;
}

absl::StatusOr<bool> TakeReport(Store& store, const Clock& clock,
                                const AttemptKey& attempt,
                                std::vector<Measurement> measurements) {
  if (!measurements.empty()) {
    AddMeasurements change{attempt, std::move(measurements)};
    for (Measurement& measurement : change.measurements) {
      measurement.road = MetricRoad::kReport;
    }
    // A client that has got no answer sends it again.
    change.may_be_repeated = true;
    VERNIER_RETURN_IF_ERROR(store.Commit({std::move(change)}, clock.Now()));
  }
  return ShouldStop(*store.Snapshot(), attempt);
}

}  // namespace vernier
