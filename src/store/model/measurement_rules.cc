#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>
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

// A source without times has those of PlaceTime, near 1970.
bool HasTime(Timestamp at) {
  return at.time_since_epoch() > std::chrono::hours(24 * 365);
}

// Whether a value comes behind another of its attempt and road, in the order of
// their source, which their times tell. Earlier releases gave what has no time
// that of its reading: all else comes behind that.
bool ComesBehind(MetricRoad road, Timestamp at, Timestamp other) {
  const bool is_anew = IsTimedByReader(road) && HasTime(at) != HasTime(other);
  return is_anew || at >= other;
}

// Whether a value is newer than another, of the same road, of its trial.
bool IsNewer(int attempt, const Measurement& measurement, int other_attempt,
             Timestamp other) {
  return attempt > other_attempt ||
         (attempt == other_attempt &&
          ComesBehind(measurement.road, measurement.reported_at, other));
}

void FoldNotFinite(int attempt, const Measurement& measurement,
                   ObjectiveSummary* objective) {
  ++objective->not_finite_count;
  if (objective->last.has_value() &&
      !IsNewer(attempt, measurement, objective->last_attempt,
               objective->last_reported_at)) {
    return;
  }
  auto& newest = objective->not_finite_last;
  if (newest.has_value() &&
      !IsNewer(attempt, measurement, newest->attempt, newest->reported_at)) {
    return;
  }
  newest = {measurement.step, measurement.value, attempt,
            measurement.reported_at};
}

void FoldFinite(const MetricGoal& goal, int attempt,
                const Measurement& measurement, ObjectiveSummary* objective) {
  const FinalMeasurement value{measurement.step, measurement.value};
  ++objective->finite_count;
  auto& not_finite = objective->not_finite_last;
  if (not_finite.has_value() &&
      IsNewer(attempt, measurement, not_finite->attempt,
              not_finite->reported_at)) {
    not_finite.reset();
  }
  if (!objective->last.has_value() ||
      IsNewer(attempt, measurement, objective->last_attempt,
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

void FoldValue(const MetricGoal& goal, int attempt,
               const Measurement& measurement, ObjectiveSummary* objective) {
  if (std::isfinite(measurement.value)) {
    FoldFinite(goal, attempt, measurement, objective);
  } else {
    FoldNotFinite(attempt, measurement, objective);
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
  // The summary so far, if any, is of a less explicit source and no longer
  // counts.
  if (trial->objective.road != measurement.road) {
    trial->objective = {};
    trial->objective.road = measurement.road;
  }
  FoldValue(goal, attempt, measurement, &trial->objective);
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
    FoldValue(goal, measurement.attempt, measurement, &objective);
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

// A copy of the trial, made when it is first changed.
class TrialEdit {
 public:
  explicit TrialEdit(std::shared_ptr<const TrialRecord> before)
      : before_(std::move(before)) {}

  const TrialRecord& now() const {
    return trial_ == nullptr ? *before_ : *trial_;
  }
  TrialRecord* edit() {
    if (trial_ == nullptr) trial_ = std::make_shared<TrialRecord>(*before_);
    return trial_.get();
  }
  /// Null if nothing was changed.
  std::shared_ptr<TrialRecord> Take() { return std::move(trial_); }

 private:
  const std::shared_ptr<const TrialRecord> before_;
  std::shared_ptr<TrialRecord> trial_;
};

// Other numbers that a program prints only help a user whose objective is
// missing to see what there is. Patterns of the job's own find what is meant.
bool IsSmallTalk(const StudySnapshot& study, const Measurement& measurement,
                 const TrialRecord& trial) {
  return measurement.road == MetricRoad::kStdout && study.run.has_value() &&
         study.run->spec->vernier.metric_patterns.empty() &&
         !IsOfStudy(study, measurement.metric) &&
         trial.objective.road.has_value();
}

// Stores measurements of one change.
class Inserter {
 public:
  Inserter(const AddMeasurements& change, MeasurementTable& table)
      : change_(change), table_(table) {}

  /// Returns whether it was new. `measurement` gets the time that it has.
  absl::StatusOr<bool> Insert(Measurement* measurement) {
    if (measurement->road != MetricRoad::kReport) {
      return table_.Insert(change_.attempt, *measurement);
    }
    if (change_.may_be_repeated) {
      VERNIER_ASSIGN_OR_RETURN(const bool is_held,
                               table_.Holds(change_.attempt, *measurement));
      if (is_held) return false;
    }
    return InsertCall(measurement);
  }

 private:
  // A call is no other one, though it comes in the same instant: it comes
  // behind it. Those of one change come in its order.
  absl::StatusOr<bool> InsertCall(Measurement* call) {
    constexpr int kMostOfAnInstant = 1000;
    const auto last = last_.try_emplace(call->metric, call->reported_at).first;
    call->reported_at = std::max(call->reported_at, last->second);
    for (int i = 0; i < kMostOfAnInstant; ++i) {
      VERNIER_ASSIGN_OR_RETURN(const bool is_new,
                               table_.Insert(change_.attempt, *call));
      last->second = call->reported_at;
      if (is_new) return true;
      call->reported_at += std::chrono::microseconds(1);
    }
    return false;
  }

  const AddMeasurements& change_;
  MeasurementTable& table_;
  std::map<std::string, Timestamp> last_;  // Of this change, by metric.
};

absl::Status AddOne(const AddMeasurements& change, const StudySnapshot& study,
                    Measurement measurement, TrialEdit* trial,
                    Inserter* inserter) {
  const MetricGoal& goal = ObjectiveOf(*study.spec);
  if (IsSmallTalk(study, measurement, trial->now())) return absl::OkStatus();
  const absl::Status kept =
      CheckMetricIsKept(study, trial->now(), measurement.metric);
  if (!kept.ok()) {
    if (!study.run.has_value()) return kept;
    NoteProblem(std::string(kept.message()), trial->edit());
    return absl::OkStatus();
  }
  if (IsOverruled(goal, measurement, trial->now())) return absl::OkStatus();
  VERNIER_ASSIGN_OR_RETURN(const bool is_new, inserter->Insert(&measurement));
  if (is_new) Fold(goal, change.attempt.number, measurement, trial->edit());
  return absl::OkStatus();
}

}  // namespace

absl::Status Apply(const AddMeasurements& change, ChangeContext& context) {
  const AttemptKey& key = change.attempt;
  VERNIER_ASSIGN_OR_RETURN(const std::shared_ptr<const TrialRecord> before,
                           FindReporter(context, key));
  VERNIER_RETURN_IF_ERROR(CheckMayReport(change, *before));
  const StudySnapshot& study = *context.state.Find(key.study);
  const MetricGoal& goal = ObjectiveOf(*study.spec);

  TrialEdit trial(before);
  for (const std::string& problem : change.problems) {
    NoteProblem(problem, trial.edit());
  }
  Inserter inserter(change, context.measurements);
  for (const Measurement& measurement : change.measurements) {
    VERNIER_RETURN_IF_ERROR(
        AddOne(change, study, measurement, &trial, &inserter));
  }
  VERNIER_ASSIGN_OR_RETURN(
      const bool is_taken_back,
      TakeBack(change, goal, trial.now(), context.measurements));
  if (is_taken_back) {
    VERNIER_ASSIGN_OR_RETURN(
        trial.edit()->objective,
        Recount(goal, key.study, trial.now(), context.measurements));
  }
  std::shared_ptr<TrialRecord> changed = trial.Take();
  if (changed == nullptr) return absl::OkStatus();
  context.state.PutTrial(key.study, std::move(changed));
  context.effects.rows.push_back(
      {RowChange::Kind::kObjectiveChanged, {key.study, key.trial, 0}});
  return absl::OkStatus();
}

}  // namespace vernier
