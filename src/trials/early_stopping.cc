#include "trials/early_stopping.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/status_macros.h"
#include "trials/best_trials.h"

namespace vernier {
namespace {

// If a trial has more reports, the rest is not compared.
constexpr std::size_t kMaxReports = 100000;

constexpr std::uint64_t kAllSampled = 1024;

bool IsRequested(const StudySnapshot& study) {
  return study.spec->stopping_rule != StoppingRule::kNone;
}

// A stopped trial counts, as in Vizier, but only up to its last step. Without
// it the reference would be the survivors alone: their median rises with each
// stop, so that ever more trials would be stopped.
bool IsReference(const TrialRecord& trial) {
  return trial.final_measurement.has_value() && !IsDeleted(trial) &&
         (trial.end_cause == TrialEndCause::kSuccess ||
          trial.end_cause == TrialEndCause::kStoppedEarly);
}

// Whether somebody runs the trial; a client's has no attempts.
bool IsUnderWay(const TrialRecord& trial) {
  if (trial.state != TrialState::kActive) return false;
  return trial.attempts.empty() || (!IsTerminal(trial.attempts.back().state) &&
                                    !trial.attempts.back().kill_wanted);
}

// A retry is not judged by what its predecessor reported.
bool HasReported(const TrialRecord& trial) {
  return IsUnderWay(trial) && trial.objective.last.has_value() &&
         trial.objective.best.has_value() &&
         trial.objective.last_attempt == CurrentAttemptOf(trial);
}

}  // namespace

bool IsSampled(TrialId id) {
  const auto number = static_cast<std::uint64_t>(ToInt(id));
  const std::uint64_t share = (number + kAllSampled - 1) / kAllSampled;
  return number % std::bit_ceil(share) == 0;
}

absl::StatusOr<EarlyStops> EarlyStopper::Decide(const StudySnapshot& study) {
  EarlyStops stops;
  if (!IsRequested(study)) return stops;
  std::vector<const TrialRecord*> running;
  for (TrialId id : study.open) {
    const TrialRecord& trial = study.trials.Get(id);
    if (HasReported(trial)) running.push_back(&trial);
  }
  if (running.empty()) return stops;

  Memory& memory = memories_[study.id];
  VERNIER_RETURN_IF_ERROR(TakeEnded(study, &memory));
  std::map<TrialId, std::pair<std::int64_t, std::size_t>> cleared;
  for (const TrialRecord* trial : running) {
    const ObjectiveSummary& objective = trial->objective;
    const auto now = std::pair(objective.finite_count, memory.ended.size());
    const auto before = memory.cleared.find(trial->id);
    if (before == memory.cleared.end() || before->second != now) {
      VERNIER_ASSIGN_OR_RETURN(const std::optional<double> best,
                               BestOfAttempt(study, *trial));
      const MedianVerdict verdict =
          best.has_value()
              ? ApplyMedianRule(memory.ended, {objective.last->step, *best},
                                ObjectiveOf(*study.spec).goal)
              : MedianVerdict{};
      if (verdict.should_stop) {
        stops.emplace(trial->id, Explain(verdict));
        continue;
      }
    }
    cleared.emplace(trial->id, now);
  }
  memory.cleared = std::move(cleared);
  return stops;
}

// Looks at the trials that were open and at the new ones only: a study may have
// a million.
absl::Status EarlyStopper::TakeEnded(const StudySnapshot& study,
                                     Memory* memory) {
  for (auto id = memory->open.begin(); id != memory->open.end();) {
    const TrialRecord& trial = study.trials.Get(*id);
    if (!IsTerminal(trial.state)) {
      ++id;
      continue;
    }
    VERNIER_RETURN_IF_ERROR(AddEnded(study, trial, memory));
    id = memory->open.erase(id);
  }
  while (memory->num_seen < study.trials.size()) {
    const TrialId id{static_cast<std::int64_t>(memory->num_seen) + 1};
    const TrialRecord& trial = study.trials.Get(id);
    if (IsTerminal(trial.state)) {
      VERNIER_RETURN_IF_ERROR(AddEnded(study, trial, memory));
    } else {
      memory->open.insert(id);
    }
    ++memory->num_seen;
  }
  return absl::OkStatus();
}

absl::Status EarlyStopper::AddEnded(const StudySnapshot& study,
                                    const TrialRecord& trial, Memory* memory) {
  if (!IsReference(trial) || !IsSampled(trial.id)) return absl::OkStatus();
  VERNIER_ASSIGN_OR_RETURN(const Reports reports, ReadReports(study, trial));
  std::vector<CurvePoint> points;
  points.reserve(reports.list.size());
  // By attempt, step and time: of a step reported twice the latest comes last.
  for (const Measurement& measurement : reports.list) {
    points.push_back({measurement.step, measurement.value});
  }
  Curve average = RunningAverage(std::move(points));
  if (average.empty()) return absl::OkStatus();
  memory->ended.push_back({std::move(average), trial.final_measurement->value,
                           trial.end_cause == TrialEndCause::kStoppedEarly});
  return absl::OkStatus();
}

absl::StatusOr<EarlyStopper::Reports> EarlyStopper::ReadReports(
    const StudySnapshot& study, const TrialRecord& trial) const {
  Reports reports;
  VERNIER_ASSIGN_OR_RETURN(
      reports.list,
      store_.ListMeasurements(study.id, trial.id, ObjectiveOf(*study.spec).name,
                              kMaxReports));
  reports.is_cut = reports.list.size() == kMaxReports;
  // Those of less clear roads, from before it came by this one, do not count.
  std::erase_if(reports.list, [&](const Measurement& measurement) {
    return measurement.road != trial.objective.road;
  });
  return reports;
}

// The best value that a running trial's last attempt reported; the summary's is
// of all attempts. nullopt if it has too many reports to tell.
absl::StatusOr<std::optional<double>> EarlyStopper::BestOfAttempt(
    const StudySnapshot& study, const TrialRecord& trial) const {
  if (trial.attempts.size() <= 1) return trial.objective.best->value;
  VERNIER_ASSIGN_OR_RETURN(const Reports reports, ReadReports(study, trial));
  if (reports.is_cut) return std::nullopt;
  std::optional<double> best;
  for (const Measurement& measurement : reports.list) {
    if (measurement.attempt != CurrentAttemptOf(trial) ||
        !std::isfinite(measurement.value)) {
      continue;
    }
    const double value = measurement.value;
    if (!best.has_value()) best = value;
    best = ObjectiveOf(*study.spec).goal == Goal::kMaximize
               ? std::max(*best, value)
               : std::min(*best, value);
  }
  return best;
}

void EarlyStopper::Forget(const StoreSnapshot& snapshot) {
  std::erase_if(memories_, [&](const auto& entry) {
    const auto study = snapshot.find(entry.first);
    return study == snapshot.end() || IsFinishedJob(*study->second);
  });
}

}  // namespace vernier
