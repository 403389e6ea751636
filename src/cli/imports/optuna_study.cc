#include "cli/imports/optuna_study.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/python_json.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "cli/imports/foreign_facts.h"
#include "cli/imports/left_out_trials.h"
#include "cli/imports/optuna_space.h"
#include "cli/imports/space_conditions.h"
#include "study/measurement.h"

namespace vernier {
namespace {

using OptunaState = OptunaTrial::State;

constexpr char kTool[] = "optuna";
constexpr char kConstraints[] = "constraints";
constexpr char kMetricNames[] = "study:metric_names";

// Returns the names that the study's owner gave to the objectives, or else
// those that such a study has when it is stored here by Optuna's own client.
std::vector<std::string> MetricNamesOf(const OptunaStudy& study) {
  const std::size_t count = study.directions.size();
  std::vector<std::string> names;
  const auto given = study.system_attributes.find(kMetricNames);
  if (given != study.system_attributes.end()) {
    const auto list = ParseJson(given->second);
    if (list.ok() && list->is_array() && list->size() == count) {
      for (const Json& name : *list) {
        if (!name.is_string()) break;
        auto text = name.get<std::string>();
        const bool is_usable =
            !text.empty() && text.size() <= kMaxMetricName &&
            std::find(names.begin(), names.end(), text) == names.end();
        if (is_usable) names.push_back(std::move(text));
      }
    }
  }
  if (names.size() == count) return names;
  names.clear();
  for (std::size_t i = 0; i < count; ++i) {
    names.push_back(count == 1 ? "value" : absl::StrCat("value_", i));
  }
  return names;
}

absl::Status AddMetrics(const OptunaStudy& study, StudySpec* spec) {
  if (study.directions.empty() || study.directions.size() > kMostMetrics) {
    return absl::InvalidArgumentError(
        absl::StrCat("a study has 1 to ", kMostMetrics, " objectives, not ",
                     study.directions.size()));
  }
  const std::vector<std::string> names = MetricNamesOf(study);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!study.directions[i].has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("objective ", i,
                       " has no direction: it must be minimize or maximize"));
    }
    spec->metrics.push_back({names[i], *study.directions[i]});
  }
  return absl::OkStatus();
}

// The values of a trial's constraints: Optuna 5 keeps each under a name of its
// own, releases before all in one list. At most 0 is met.
std::vector<MetricValue> ConstraintsOf(const OptunaTrial& trial) {
  std::vector<MetricValue> list;
  std::vector<MetricValue> named;
  for (const auto& [key, value] : trial.system_attributes) {
    if (!absl::StartsWith(key, kConstraints)) continue;
    const auto json = ParsePythonJson(value);
    if (!json.ok()) continue;
    if (key == kConstraints && json->is_array()) {
      for (std::size_t i = 0; i < json->size(); ++i) {
        const auto number = PythonNumber((*json)[i]);
        if (number.has_value()) {
          list.push_back({absl::StrCat(kConstraints, ":", i), *number});
        }
      }
    } else if (const auto number = PythonNumber(*json); number.has_value()) {
      if (key.size() <= kMaxMetricName) named.push_back({key, *number});
    }
  }
  return named.empty() ? list : named;
}

// Translates the trials of one study.
class Translation {
 public:
  Translation(const OptunaStudy& from, ForeignStudy* to)
      : from_(from), to_(to) {}

  absl::Status Run() {
    for (const OptunaTrial& trial : from_.trials) {
      VERNIER_RETURN_IF_ERROR(space_.Add(trial));
    }
    to_->spec.parameters = space_.Parameters(&to_->notes);
    to_->typed_choices = space_.ParameterChoices();
    std::vector<Parameters> complete;
    for (const OptunaTrial& trial : from_.trials) {
      if (trial.state != OptunaState::kComplete) continue;
      complete.push_back(space_.ValuesOf(trial));
    }
    InferConditions(complete, &to_->spec.parameters, &to_->notes);
    for (const OptunaTrial& trial : from_.trials) {
      VERNIER_RETURN_IF_ERROR(AddTrial(trial));
    }
    for (std::string& line : left_out_.Lines()) {
      to_->notes.push_back(std::move(line));
    }
    return absl::OkStatus();
  }

 private:
  absl::Status AddTrial(const OptunaTrial& from) {
    const std::string id = absl::StrCat(from.number);
    if (from.state == OptunaState::kRunning ||
        from.state == OptunaState::kWaiting) {
      left_out_.Add(
          absl::StrCat(
              from.state == OptunaState::kRunning ? "running" : "waiting",
              ", without a result: left out"),
          id);
      return absl::OkStatus();
    }
    ForeignTrial trial;
    trial.id = id;
    trial.parameters = space_.ValuesOf(from);
    trial.started = from.started;
    trial.ended = from.ended;
    AddReports(from, &trial);
    VERNIER_RETURN_IF_ERROR(AddEnd(from, &trial));
    for (const auto& [name, value] : from.user_attributes) {
      const std::string why = AddAttribute(name, value, &trial.attributes);
      if (why.empty()) continue;
      left_out_.Add(
          absl::StrCat("without the attribute ", ShowText(name, 40), ": ", why),
          id);
    }
    to_->trials.push_back(std::move(trial));
    return absl::OkStatus();
  }

  void AddReports(const OptunaTrial& from, ForeignTrial* trial) {
    for (const auto& [step, value] : from.reports) {
      if (step < 0) {
        left_out_.Add("without its reports at steps below 0", trial->id);
        continue;
      }
      if (trial->reports.size() >= kMostForeignReports) {
        left_out_.Add(absl::StrCat("without its reports after the first ",
                                   kMostForeignReports),
                      trial->id);
        return;
      }
      trial->reports.push_back(
          {step, {}, {{to_->spec.metrics.front().name, value}}});
    }
  }

  absl::Status AddEnd(const OptunaTrial& from, ForeignTrial* trial) {
    const std::size_t count = to_->spec.metrics.size();
    std::vector<double> values = from.values;
    if (from.state == OptunaState::kFail) {
      trial->state = ForeignTrial::State::kInfeasible;
      trial->reason = "it failed in Optuna";
      return absl::OkStatus();
    }
    if (from.state == OptunaState::kPruned) {
      trial->state = ForeignTrial::State::kStopped;
      if (values.empty() && count == 1 && !trial->reports.empty()) {
        values = {trial->reports.back().metrics.front().value};
      }
      if (values.size() != count || std::isnan(values.front())) {
        trial->state = ForeignTrial::State::kInfeasible;
        trial->reason = "Optuna pruned it before it had a value";
        return absl::OkStatus();
      }
    }
    if (values.size() != count) {
      return absl::InvalidArgumentError(absl::StrCat(
          "trial ", from.number, " is complete with ", values.size(),
          " values, and the study has ", count, " objectives"));
    }
    MetricReport report;
    if (!trial->reports.empty()) report.step = trial->reports.back().step;
    report.elapsed = TimeBetween(from.started, from.ended);
    for (std::size_t i = 0; i < count; ++i) {
      report.metrics.push_back({to_->spec.metrics[i].name, values[i]});
      if (std::isfinite(values[i])) continue;
      left_out_.Add(absl::StrCat("a value is ",
                                 std::isnan(values[i]) ? "NaN" : "infinite",
                                 ": it comes as infeasible"),
                    trial->id);
    }
    AddConstraints(from, &report);
    trial->final_report = std::move(report);
    return absl::OkStatus();
  }

  void AddConstraints(const OptunaTrial& from, MetricReport* report) {
    for (MetricValue& one : ConstraintsOf(from)) {
      auto& known = to_->spec.constraints;
      const bool is_known = std::any_of(known.begin(), known.end(),
                                        [&](const OutcomeConstraint& each) {
                                          return each.metric == one.metric;
                                        });
      if (!is_known && known.size() >= kMostConstraints) {
        left_out_.Add(absl::StrCat("without the constraints after the first ",
                                   kMostConstraints),
                      absl::StrCat(from.number));
        continue;
      }
      if (!is_known) known.push_back({one.metric, std::nullopt, 0.0});
      report->metrics.push_back(std::move(one));
    }
  }

  const OptunaStudy& from_;
  ForeignStudy* const to_;
  OptunaSpace space_;
  LeftOutTrials left_out_;
};

}  // namespace

absl::StatusOr<ForeignStudy> FromOptuna(const OptunaStudy& study,
                                        const std::string& file) {
  ForeignStudy made;
  made.tool = kTool;
  made.file = file;
  made.name = study.name;
  absl::Status status = AddMetrics(study, &made.spec);
  if (status.ok()) status = Translation(study, &made).Run();
  if (!status.ok()) {
    return absl::Status(status.code(),
                        absl::StrCat(file, ": study \"", ShowText(study.name),
                                     "\": ", std::string(status.message())));
  }
  for (const auto& [name, value] : study.user_attributes) {
    const std::string why = AddAttribute(name, value, &made.attributes);
    if (why.empty()) continue;
    made.notes.push_back(absl::StrCat("the study's attribute ", ShowText(name),
                                      " is left out: ", why));
  }
  return made;
}

}  // namespace vernier
