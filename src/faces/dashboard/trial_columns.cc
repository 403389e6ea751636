#include "faces/dashboard/trial_columns.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <variant>

namespace vernier {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Not a stored state: tells the page to drop the row.
constexpr std::uint8_t kDeleted = 8;

double Milliseconds(const std::optional<Timestamp>& time) {
  if (!time.has_value()) return kNone;
  return std::chrono::duration<double, std::milli>(time->time_since_epoch())
      .count();
}

std::vector<std::string> StateNames() {
  std::vector<std::string> names = {""};
  for (int state = 1; state <= static_cast<int>(TrialState::kFailed); ++state) {
    names.emplace_back(ToString(static_cast<TrialState>(state)));
  }
  names.emplace_back("deleted");
  return names;
}

std::vector<std::string> MethodNames() {
  std::vector<std::string> names = {""};
  for (int method = 1; method <= static_cast<int>(SuggestionMethod::kUntried);
       ++method) {
    names.emplace_back(MethodName(static_cast<SuggestionMethod>(method)));
  }
  return names;
}

std::uint8_t StateOf(const TrialRecord& trial) {
  return IsDeleted(trial) ? kDeleted : static_cast<std::uint8_t>(trial.state);
}

/// The objective: final, or the last value so far.
const std::optional<FinalMeasurement>& ValueOf(const TrialRecord& trial) {
  return trial.final_measurement.has_value() ? trial.final_measurement
                                             : trial.objective.last;
}

double Number(const ParameterSpec& spec, const ParameterValue& value) {
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    return static_cast<double>(*whole);
  }
  const auto& names = spec.categorical_values;
  const auto found =
      std::find(names.begin(), names.end(), std::get<std::string>(value));
  return found == names.end() ? kNone
                              : static_cast<double>(found - names.begin());
}

/// Collects one column of numbers over the trials.
template <typename T, typename Get>
std::vector<T> Column(const StudySnapshot& study,
                      const std::vector<TrialId>& trials, const Get& get) {
  std::vector<T> values;
  values.reserve(trials.size());
  for (const TrialId id : trials) {
    values.push_back(static_cast<T>(get(study.trials.Get(id))));
  }
  return values;
}

void WriteLife(const StudySnapshot& study, const std::vector<TrialId>& trials,
               ColumnWriter* columns) {
  const auto add_times = [&](std::string_view name, const auto& get) {
    columns->Add(name, Column<double>(study, trials, get));
  };
  columns->Add("id",
               Column<std::int32_t>(study, trials, [](const TrialRecord& t) {
                 return ToInt(t.id);
               }));
  columns->Add("state", Column<std::uint8_t>(study, trials, &StateOf));
  columns->Add("cause",
               Column<std::uint8_t>(study, trials, [](const TrialRecord& t) {
                 return static_cast<int>(t.end_cause);
               }));
  columns->Add("attempts",
               Column<std::uint8_t>(study, trials, [](const TrialRecord& t) {
                 return std::min<std::size_t>(t.attempts.size(), 255);
               }));
  add_times("created",
            [](const TrialRecord& t) { return Milliseconds(t.created_at); });
  add_times("started",
            [](const TrialRecord& t) { return Milliseconds(t.started_at); });
  add_times("ended",
            [](const TrialRecord& t) { return Milliseconds(t.ended_at); });
}

void WriteObjective(const StudySnapshot& study,
                    const std::vector<TrialId>& trials, ColumnWriter* columns) {
  columns->Add("value", Column<double>(study, trials, [](const TrialRecord& t) {
                 const auto& value = ValueOf(t);
                 return value.has_value() ? value->value : kNone;
               }));
  columns->Add("step", Column<double>(study, trials, [](const TrialRecord& t) {
                 const auto& value = ValueOf(t);
                 return value.has_value() ? static_cast<double>(value->step)
                                          : kNone;
               }));
  columns->Add("final",
               Column<std::uint8_t>(study, trials, [](const TrialRecord& t) {
                 return t.final_measurement.has_value() ? 1 : 0;
               }));
}

void WriteSuggestion(const StudySnapshot& study,
                     const std::vector<TrialId>& trials,
                     ColumnWriter* columns) {
  columns->Add("method",
               Column<std::uint8_t>(study, trials, [](const TrialRecord& t) {
                 return t.origin.record.has_value()
                            ? static_cast<int>(t.origin.record->method)
                            : 0;
               }));
  const auto add = [&](std::string_view name, double Prediction::*part) {
    columns->Add(name, Column<float>(study, trials, [part](const auto& trial) {
                   const auto& record = trial.origin.record;
                   return record.has_value() && record->prediction.has_value()
                              ? (*record->prediction).*part
                              : kNone;
                 }));
  };
  add("mean", &Prediction::mean);
  add("low", &Prediction::low);
  add("high", &Prediction::high);
}

void WriteParameters(const StudySnapshot& study,
                     const std::vector<TrialId>& trials,
                     ColumnWriter* columns) {
  const std::vector<ParameterSpec>& space = study.spec->parameters;
  const std::vector<const ParameterSpec*> shown = DistinctParameters(space);
  std::map<std::string, std::size_t> column_of;
  for (std::size_t i = 0; i < shown.size(); ++i) column_of[shown[i]->name] = i;
  std::vector<std::vector<double>> values(
      shown.size(), std::vector<double>(trials.size(), kNone));
  for (std::size_t row = 0; row < trials.size(); ++row) {
    for (const NamedValue& value : study.trials.Get(trials[row]).parameters) {
      const auto column = column_of.find(value.name);
      if (column == column_of.end()) continue;
      values[column->second][row] = Number(*shown[column->second], value.value);
    }
  }
  for (std::size_t i = 0; i < shown.size(); ++i) {
    columns->Add("p:" + shown[i]->name, values[i]);
  }
}

double ReportedValue(const TrialRecord& trial, const std::string& metric) {
  if (!trial.final_report.has_value()) return kNone;
  for (const MetricValue& value : trial.final_report->metrics) {
    if (value.metric == metric) return value.value;
  }
  return kNone;
}

}  // namespace

std::vector<TrialId> AllTrials(const StudySnapshot& study) {
  std::vector<TrialId> trials;
  trials.reserve(study.trials.size());
  for (std::size_t n = 1; n <= study.trials.size(); ++n) {
    trials.push_back(TrialId(static_cast<std::int64_t>(n)));
  }
  return trials;
}

std::vector<std::string> CauseNames() {
  std::vector<std::string> names = {""};
  for (int cause = 1; cause <= static_cast<int>(TrialEndCause::kTransient);
       ++cause) {
    names.emplace_back(ToString(static_cast<TrialEndCause>(cause)));
  }
  return names;
}

std::vector<const ParameterSpec*> DistinctParameters(
    const std::vector<ParameterSpec>& space) {
  std::vector<const ParameterSpec*> distinct;
  for (const ParameterSpec& spec : space) {
    const bool is_new = std::none_of(distinct.begin(), distinct.end(),
                                     [&spec](const ParameterSpec* known) {
                                       return known->name == spec.name;
                                     });
    if (is_new) distinct.push_back(&spec);
  }
  return distinct;
}

void WriteTrialColumns(const StudySnapshot& study,
                       const std::vector<TrialId>& trials,
                       ColumnWriter* columns) {
  columns->SetDictionary("state", StateNames());
  columns->SetDictionary("cause", CauseNames());
  columns->SetDictionary("method", MethodNames());
  WriteLife(study, trials, columns);
  WriteObjective(study, trials, columns);
  WriteSuggestion(study, trials, columns);
  WriteParameters(study, trials, columns);
  if (study.spec->metrics.size() < 2) return;
  for (const MetricGoal& metric : study.spec->metrics) {
    columns->Add(
        "m:" + metric.name,
        Column<double>(study, trials, [&metric](const TrialRecord& trial) {
          return ReportedValue(trial, metric.name);
        }));
  }
}

}  // namespace vernier
