#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "base/utf8.h"
#include "store/model/change_rules.h"

namespace vernier {
namespace {

// The trial whose attempt reports; a client's has none, and reports as 0.
absl::StatusOr<std::shared_ptr<const TrialRecord>> FindReporter(
    const ChangeContext& context, const AttemptKey& key) {
  VERNIER_ASSIGN_OR_RETURN(const StudySnapshot* study,
                           FindStudy(context, key.study));
  const bool is_client_trial = !study->run.has_value() && key.number == 0;
  return is_client_trial ? FindTrial(context, key.study, key.trial)
                         : FindAttempt(context, key);
}

absl::Status CheckMayReport(const AddMeasurements& change,
                            const TrialRecord& trial) {
  const AttemptKey& key = change.attempt;
  if (trial.state == TrialState::kRequested) {
    return absl::FailedPreconditionError(
        absl::StrCat(NameOf(key.study, key.trial),
                     " is requested: nobody runs it who could report"));
  }
  if (IsTerminal(trial.state)) {
    return absl::FailedPreconditionError(absl::StrCat(
        NameOf(key.study, key.trial), " is ",
        std::string(ToString(trial.state)), " and takes no more measurements"));
  }
  if (key.number != CurrentAttemptOf(trial)) {
    return absl::AbortedError(
        absl::StrCat(NameOf(key), " was replaced by attempt ",
                     trial.attempts.size(), "; it may not report"));
  }
  for (const Measurement& measurement : change.measurements) {
    if (measurement.metric.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("a measurement of ", NameOf(key), " has no metric"));
    }
    if (measurement.elapsed.count() < 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("the time elapsed until a measurement of ", NameOf(key),
                       " must be >= 0: ", measurement.elapsed.count(), " us"));
    }
  }
  return absl::OkStatus();
}

void FoldFinite(const MetricGoal& goal, int attempt,
                const Measurement& measurement, ObjectiveSummary* objective) {
  const FinalMeasurement value{measurement.step, measurement.value};
  ++objective->finite_count;
  const auto order = [](int number, std::int64_t step, Timestamp at) {
    return std::tuple(number, step, at);
  };
  if (!objective->last.has_value() ||
      order(attempt, measurement.step, measurement.reported_at) >
          order(objective->last_attempt, objective->last->step,
                objective->last_reported_at)) {
    objective->last = value;
    objective->last_attempt = attempt;
    objective->last_reported_at = measurement.reported_at;
  }
  const bool maximize = goal.goal == Goal::kMaximize;
  if (!objective->best.has_value() ||
      (maximize ? value.value > objective->best->value
                : value.value < objective->best->value)) {
    objective->best = value;
  }
}

bool HasSeen(const TrialRecord& trial, const std::string& metric) {
  return std::any_of(
      trial.metrics_seen.begin(), trial.metrics_seen.end(),
      [&](const SeenMetric& seen) { return seen.name == metric; });
}

bool IsOfStudy(const StudySnapshot& study, const std::string& metric) {
  const std::vector<MetricGoal>& metrics = study.spec->metrics;
  return std::any_of(
      metrics.begin(), metrics.end(),
      [&](const MetricGoal& goal) { return goal.name == metric; });
}

// Names come from programs and are kept for ever, so their number and length
// are limited, except for the study's own metrics.
absl::Status CheckMetricIsKept(const StudySnapshot& study,
                               const TrialRecord& trial,
                               const std::string& metric) {
  if (HasSeen(trial, metric) || IsOfStudy(study, metric)) {
    return absl::OkStatus();
  }
  if (metric.size() > kMaxMetricName) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the name of a metric must have at most ", kMaxMetricName,
        " bytes: ", metric.size(), " in \"", ShowText(metric), "\""));
  }
  if (trial.metrics_seen.size() >= kMaxMetricsSeen) {
    return absl::InvalidArgumentError(
        absl::StrCat("a trial may report at most ", kMaxMetricsSeen,
                     " metrics besides its study's; later ones are left out"));
  }
  return absl::OkStatus();
}

void NoteProblem(const std::string& problem, TrialRecord* trial) {
  std::vector<std::string>& problems = trial->metric_problems;
  std::string text = problem.substr(0, kMaxMetricProblem);
  text.resize(std::min(text.size(), FindInvalidUtf8(text)));
  if (problems.size() < kMaxMetricProblems &&
      std::find(problems.begin(), problems.end(), text) == problems.end()) {
    problems.push_back(text);
  }
}

// Whether the objective has come by a clearer road already.
bool IsOverruled(const MetricGoal& goal, const Measurement& measurement,
                 const TrialRecord& trial) {
  const std::optional<MetricRoad>& road = trial.objective.road;
  return measurement.metric == goal.name && road.has_value() &&
         IsClearer(*road, measurement.road);
}

void Fold(const MetricGoal& goal, int attempt, const Measurement& measurement,
          TrialRecord* trial) {
  if (!HasSeen(*trial, measurement.metric)) {
    trial->metrics_seen.push_back({measurement.metric, measurement.road});
  }
  if (measurement.metric != goal.name) return;
  // What is summed up so far, if anything, came by a less clear road and no
  // longer counts.
  if (trial->objective.road != measurement.road) {
    trial->objective = {};
    trial->objective.road = measurement.road;
  }
  if (std::isfinite(measurement.value)) {
    FoldFinite(goal, attempt, measurement, &trial->objective);
  } else {
    ++trial->objective.not_finite_count;
  }
}

// The summary anew, of what is not void.
absl::StatusOr<ObjectiveSummary> Recount(const MetricGoal& goal, StudyId study,
                                         const TrialRecord& trial,
                                         MeasurementTable& table) {
  ObjectiveSummary objective;
  objective.road = trial.objective.road;
  VERNIER_ASSIGN_OR_RETURN(const std::vector<Measurement> list,
                           table.List(study, trial.id, goal.name));
  for (const Measurement& measurement : list) {
    if (measurement.road != objective.road) continue;
    if (std::isfinite(measurement.value)) {
      FoldFinite(goal, measurement.attempt, measurement, &objective);
    } else {
      ++objective.not_finite_count;
    }
  }
  return objective;
}

// Whether it made measurements of the objective's road void.
absl::StatusOr<bool> TakeBack(const AddMeasurements& change,
                              const MetricGoal& goal, const TrialRecord& trial,
                              MeasurementTable& table) {
  bool is_objective = false;
  for (const CurveRestart& restart : change.restarts) {
    bool is_any = false;
    for (int number = 1; number <= change.attempt.number; ++number) {
      CurveRestart own = restart;
      // An earlier attempt is over, whatever its clock said.
      if (number < change.attempt.number) own.at = Timestamp::max();
      VERNIER_ASSIGN_OR_RETURN(
          const bool is_void,
          table.Void({change.attempt.study, change.attempt.trial, number},
                     own));
      is_any |= is_void;
    }
    is_objective |= is_any && restart.metric == goal.name &&
                    restart.road == trial.objective.road;
  }
  return is_objective;
}

}  // namespace

absl::Status Apply(const AddMeasurements& change, ChangeContext& context) {
  const AttemptKey& key = change.attempt;
  VERNIER_ASSIGN_OR_RETURN(const std::shared_ptr<const TrialRecord> before,
                           FindReporter(context, key));
  VERNIER_RETURN_IF_ERROR(CheckMayReport(change, *before));
  const StudySnapshot& study = *context.state.Find(key.study);
  const MetricGoal& goal = ObjectiveOf(*study.spec);

  std::shared_ptr<TrialRecord> trial;
  const auto edit = [&] {
    if (trial == nullptr) trial = std::make_shared<TrialRecord>(*before);
    return trial.get();
  };
  for (const std::string& problem : change.problems) {
    NoteProblem(problem, edit());
  }
  for (const Measurement& measurement : change.measurements) {
    const absl::Status kept = CheckMetricIsKept(
        study, trial == nullptr ? *before : *trial, measurement.metric);
    if (!kept.ok()) {
      if (!study.run.has_value()) return kept;
      NoteProblem(std::string(kept.message()), edit());
      continue;
    }
    if (IsOverruled(goal, measurement, trial == nullptr ? *before : *trial)) {
      continue;
    }
    // The time is a part of the key, and a report that is read again gets
    // another one.
    if (change.may_be_repeated || IsTimedByReader(measurement.road)) {
      VERNIER_ASSIGN_OR_RETURN(const bool is_held,
                               context.measurements.Holds(key, measurement));
      if (is_held) continue;
    }
    VERNIER_ASSIGN_OR_RETURN(const bool is_new,
                             context.measurements.Insert(key, measurement));
    if (!is_new) continue;
    Fold(goal, key.number, measurement, edit());
  }
  VERNIER_ASSIGN_OR_RETURN(
      const bool is_taken_back,
      TakeBack(change, goal, trial == nullptr ? *before : *trial,
               context.measurements));
  if (is_taken_back) {
    VERNIER_ASSIGN_OR_RETURN(
        edit()->objective,
        Recount(goal, key.study, *edit(), context.measurements));
  }
  if (trial == nullptr) return absl::OkStatus();
  context.state.PutTrial(key.study, std::move(trial));
  context.effects.rows.push_back(
      {RowChange::Kind::kObjectiveChanged, {key.study, key.trial, 0}});
  return absl::OkStatus();
}

}  // namespace vernier
