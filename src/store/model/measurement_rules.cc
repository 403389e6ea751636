#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "base/utf8.h"
#include "store/metric_names.h"
#include "store/metric_summary.h"
#include "store/model/change_rules.h"
#include "study/find_by_name.h"

namespace vernier {
namespace {

// Reports are applied in two steps. First each measurement is stored unless it
// is refused, overruled by a more explicit source or a duplicate, and is folded
// into the summary of its metric. Then the restarts make stored measurements
// void. A summary that counted one of those is computed again from the
// measurements that are left, because a fold cannot be undone.

// Returns the trial that reports. A client's trial has no attempt; its key has
// number 0.
absl::StatusOr<std::shared_ptr<const TrialRecord>> FindReporter(
    const ChangeContext& context, const StudySnapshot& study,
    const AttemptKey& key) {
  const bool is_client_trial = !IsJob(study) && key.number == 0;
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

bool HasSeen(const TrialRecord& trial, const std::string& metric) {
  return FindByName(trial.metrics_seen, metric) != nullptr;
}

bool IsOfStudy(const StudySnapshot& study, const std::string& metric) {
  return GoalOfNeeded(*study.spec, metric).has_value();
}

// Names come from programs and are kept forever, so their number and length are
// limited, except for the study's own metrics.
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

// True if the metric was reported by a more explicit source already.
bool IsOverruled(const StudySpec& spec, const Measurement& measurement,
                 const TrialRecord& trial) {
  const MetricSummary* const summary =
      FindSummary(spec, trial, measurement.metric);
  return summary != nullptr && summary->road.has_value() &&
         IsClearer(*summary->road, measurement.road);
}

MetricSummary* SummaryOf(const StudySpec& spec, const std::string& metric,
                         TrialRecord* trial) {
  return metric == ObjectiveOf(spec).name ? &trial->objective
                                          : &trial->others[metric];
}

void AddTo(const StudySpec& spec, int attempt, const Measurement& measurement,
           TrialRecord* trial) {
  if (!HasSeen(*trial, measurement.metric)) {
    trial->metrics_seen.push_back({measurement.metric, measurement.road});
  }
  const std::optional<Goal> goal = GoalOfNeeded(spec, measurement.metric);
  if (!goal.has_value()) return;
  Fold(*goal, attempt, measurement, SummaryOf(spec, measurement.metric, trial));
}

// Makes measurements void as the change's restarts demand. Returns the needed
// metrics that lost measurements of the source that counts.
absl::StatusOr<std::set<std::string>> TakeBack(const AddMeasurements& change,
                                               const StudySpec& spec,
                                               const TrialRecord& trial,
                                               MeasurementTable& table) {
  std::set<std::string> metrics;
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
    const MetricSummary* const summary =
        FindSummary(spec, trial, restart.metric);
    if (is_any && summary != nullptr && summary->road == restart.road) {
      metrics.insert(restart.metric);
    }
  }
  return metrics;
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

// True for a number that need not be stored. Numbers beside the objective that
// a program prints only help a user whose objective is missing to see which
// names there are, so they are dropped once the objective has arrived. A job
// with patterns of its own asks for certain names, so nothing is dropped there.
bool IsSmallTalk(const StudySnapshot& study, const Measurement& measurement,
                 const TrialRecord& trial) {
  const auto job = AsJob(study);
  return measurement.road == MetricRoad::kStdout && job.has_value() &&
         job->run().spec->vernier.metric_patterns.empty() &&
         !IsOfStudy(study, measurement.metric) &&
         trial.objective.road.has_value();
}

// The table of measurements by the present names of the study's metrics.
class PresentTable : public MeasurementTable {
 public:
  PresentTable(const FormerNames& names, MeasurementTable& table)
      : names_(names), table_(table) {}

  absl::StatusOr<bool> Insert(const AttemptKey& attempt,
                              const Measurement& measurement) override {
    return table_.Insert(attempt, Recorded(measurement));
  }
  absl::StatusOr<bool> Holds(const AttemptKey& attempt,
                             const Measurement& measurement) override {
    return table_.Holds(attempt, Recorded(measurement));
  }
  absl::StatusOr<bool> Void(const AttemptKey& attempt,
                            const CurveRestart& restart) override {
    return table_.Void(attempt, Recorded(restart));
  }
  // Nobody asks for the names in the answer.
  absl::StatusOr<std::vector<Measurement>> List(
      StudyId study, TrialId trial, const std::string& metric) const override {
    return table_.List(study, trial, RecordedName(names_, metric));
  }

 private:
  template <typename T>
  T Recorded(T of_metric) const {
    of_metric.metric = RecordedName(names_, of_metric.metric);
    return of_metric;
  }

  const FormerNames& names_;
  MeasurementTable& table_;
};

// Stores the measurements of one change.
class Inserter {
 public:
  Inserter(const AddMeasurements& change, MeasurementTable& table)
      : change_(change), table_(table) {}

  /// Returns true if the measurement was new, and sets the time under which it
  /// is stored.
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
  // Each call is a measurement of its own, even if two come in the same
  // instant: a call whose key is taken gets a later time, by up to a
  // millisecond. The calls for a metric in one change keep their order.
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
  std::map<std::string, Timestamp> last_;  // By metric, within this change.
};

absl::Status AddOne(const AddMeasurements& change, const StudySnapshot& study,
                    Measurement measurement, TrialEdit* trial,
                    Inserter* inserter) {
  const StudySpec& spec = *study.spec;
  if (IsSmallTalk(study, measurement, trial->now())) return absl::OkStatus();
  const absl::Status kept =
      CheckMetricIsKept(study, trial->now(), measurement.metric);
  if (!kept.ok()) {
    if (!IsJob(study)) return kept;
    NoteProblem(std::string(kept.message()), trial->edit());
    return absl::OkStatus();
  }
  if (IsOverruled(spec, measurement, trial->now())) return absl::OkStatus();
  VERNIER_ASSIGN_OR_RETURN(const bool is_new, inserter->Insert(&measurement));
  if (is_new) AddTo(spec, change.attempt.number, measurement, trial->edit());
  return absl::OkStatus();
}

}  // namespace

absl::Status Apply(const AddMeasurements& reported, const StudySnapshot& study,
                   ChangeContext& context) {
  // Reports come often and renames hardly ever, so that only these cost copies.
  const FormerNames& names = study.spec->renamed_from;
  std::optional<AddMeasurements> renamed;
  if (!names.empty()) renamed = AsReported(*study.spec, reported);
  const AddMeasurements& change = renamed.has_value() ? *renamed : reported;
  const AttemptKey& key = change.attempt;
  VERNIER_ASSIGN_OR_RETURN(const std::shared_ptr<const TrialRecord> before,
                           FindReporter(context, study, key));
  VERNIER_RETURN_IF_ERROR(CheckMayReport(change, *before));
  const StudySpec& spec = *study.spec;

  TrialEdit trial(before);
  for (const std::string& problem : change.problems) {
    NoteProblem(problem, trial.edit());
  }
  PresentTable present(names, context.measurements);
  MeasurementTable& table = names.empty()
                                ? context.measurements
                                : static_cast<MeasurementTable&>(present);
  Inserter inserter(change, table);
  for (const Measurement& measurement : change.measurements) {
    VERNIER_RETURN_IF_ERROR(
        AddOne(change, study, measurement, &trial, &inserter));
  }
  VERNIER_ASSIGN_OR_RETURN(const std::set<std::string> taken_back,
                           TakeBack(change, spec, trial.now(), table));
  for (const std::string& metric : taken_back) {
    VERNIER_ASSIGN_OR_RETURN(const std::vector<Measurement> left,
                             table.List(key.study, key.trial, metric));
    MetricSummary* const summary = SummaryOf(spec, metric, trial.edit());
    *summary = Summarize(*GoalOfNeeded(spec, metric), summary->road, left);
  }
  std::shared_ptr<TrialRecord> changed = trial.Take();
  if (changed == nullptr) return absl::OkStatus();
  context.state.PutTrial(key.study, std::move(changed));
  context.effects.rows.push_back(
      {RowChange::Kind::kObjectiveChanged, {key.study, key.trial, 0}});
  return absl::OkStatus();
}

}  // namespace vernier
