#include "cli/display/resource_tables.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/add_once.h"
#include "base/status_macros.h"
#include "cli/display/end_reason.h"
#include "cli/display/local_time.h"
#include "cli/display/resource_paths.h"
#include "study/metrics/metric_goal.h"
#include "study/words/end_words.h"
#include "study/words/shown_job_state.h"

namespace vernier {
namespace {

constexpr std::size_t kNoteWidth = 60;

std::string Text(const Json& json, const std::string& key) {
  if (!json.is_object()) return "";
  const Json value = json.value(key, Json());
  return value.is_null() ? "" : PlainText(value);
}

Json Part(const Json& json, const std::string& key) {
  return json.is_object() ? json.value(key, Json()) : Json();
}

/// Shows a minus zero as zero; only programs need its sign.
std::string WithoutMinusZero(const std::string& number) {
  return number == "-0" || number == "-0.0" ? "0" : number;
}

/// Shows a zero as other whole numbers are shown.
std::string WholeZero(const std::string& number) {
  return number == "0.0" ? "0" : WithoutMinusZero(number);
}

/// The service leaves out a key whose value is zero.
std::string NumberOrZero(const Json& json, const std::string& key) {
  const std::string text = Text(json, key);
  return text.empty() ? "0" : WholeZero(text);
}

std::string JobTrials(const Json& job) {
  const Json vernier = Part(job, "vernier");
  std::int64_t ended = 0;
  const Json counts = Part(vernier, "trialCounts");
  for (const auto& [state, count] : counts.items()) {
    if (state != "requested" && state != "active" && state != "stopping") {
      ended += count.is_number() ? count.get<std::int64_t>() : 0;
    }
  }
  return absl::StrCat(ended, "/", NumberOrZero(vernier, "maxTrials"));
}

std::string StateOf(const Json& job) {
  return std::string(
      ShownState(Text(job, "state"), Text(Part(job, "vernier"), "wanted")));
}

void AddField(const std::string& name, const std::string& value,
              TextTable* table) {
  if (!value.empty()) table->rows.push_back({name, value});
}

// Describes how something ended: in words for people, or in the API's words for
// programs.
std::string EndText(const std::string& message, Digits digits) {
  return digits == Digits::kFew ? PlainEnd(message) : message;
}

std::string FirstLine(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

/// Returns, for instance, "active 2, completed 3, paused 1", where paused
/// trials do not count as active.
std::string TrialStates(const Json& vernier) {
  Json by_state = Part(vernier, "trialCounts");
  if (const Json paused = Part(vernier, "pausedTrials"); paused.is_number()) {
    const auto count = paused.get<std::int64_t>();
    by_state["paused"] = count;
    by_state["active"] = by_state.value("active", std::int64_t{0}) - count;
  }
  std::vector<std::string> counts;
  for (const auto& [state, count] : by_state.items()) {
    if (count != 0) counts.push_back(absl::StrCat(state, " ", DumpJson(count)));
  }
  return absl::StrJoin(counts, ", ");
}

/// Adds the names of the other parameters, in the order of the first trial that
/// has them.
std::vector<std::string> WithNamesInRows(std::vector<std::string> names,
                                         const Json& trials) {
  for (const Json& trial : trials) {
    for (const Json& parameter : Part(trial, "parameterList")) {
      AddOnce(Text(parameter, "name"), &names);
    }
  }
  return names;
}

std::string Number(const std::string& text, Digits digits) {
  // A table shows fewer than the 17 digits that programs need.
  if (digits == Digits::kAll || text.size() <= 12) {
    return WholeZero(text);
  }
  return ShortNumber(std::strtod(text.c_str(), nullptr));
}

// Shows a parameter as the program gets it, so that a filter finds what a table
// shows. Suggested values are short, and given ones are as long as they were
// given.
std::string ParameterOf(const Json& trial, const std::string& name) {
  for (const Json& parameter : Part(trial, "parameterList")) {
    if (Text(parameter, "name") != name) continue;
    const std::string value = Text(parameter, "value");
    return Text(parameter, "isText") == "true" ? value
                                               : WithoutMinusZero(value);
  }
  return "";
}

// Adds the other metrics of which trials have final values. Returns none if
// there are not several.
std::vector<std::string> WithMetricsInRows(std::vector<std::string> names,
                                           const Json& trials) {
  const auto given = static_cast<std::ptrdiff_t>(names.size());
  for (const Json& trial : trials) {
    const Json values = Part(trial, "finalMetrics");
    for (const auto& [name, value] : values.items()) AddOnce(name, &names);
  }
  // The message has no order.
  std::sort(names.begin() + given, names.end());
  if (names.size() < 2) names.clear();
  return names;
}

// Returns the trial's final value of a metric. A trial may have told one metric
// only, where others have told several: that is the objective.
std::string MetricOf(const Json& trial, const std::string& name,
                     const std::string& objective, Digits digits) {
  const Json values = Part(trial, "finalMetrics");
  if (values.contains(name)) return Number(Text(values, name), digits);
  const Json only = Part(trial, "finalMeasurement");
  const bool is_only = values.empty() && name == objective && only.is_object();
  return is_only ? Number(NumberOrZero(only, "value"), digits) : "";
}

// Which metrics and parameters the rows have columns for.
struct RowColumns {
  std::vector<std::string> metrics;  // Their values replace the objective.
  std::vector<std::string> parameters;
  std::string objective;  // Of `metrics`; empty if that is not known.
};

RowColumns ColumnsOf(const Json& trials,
                     const std::optional<TrialColumns>& given) {
  const TrialColumns known = given.value_or(TrialColumns{});
  return {WithMetricsInRows(known.metrics, trials),
          WithNamesInRows(known.parameters, trials),
          known.metrics.empty() ? "" : known.metrics.front()};
}

// Returns TRIAL, STATE, OBJECTIVE, STEP and the parameters.
std::vector<std::string> TrialRow(const Json& trial, const RowColumns& columns,
                                  Digits digits) {
  const bool is_final = !Text(trial, "endCause").empty();
  const Json metric =
      Part(trial, is_final ? "finalMeasurement" : "lastMeasurement");
  std::vector<std::string> row = {
      Text(trial, "trialId"), absl::AsciiStrToLower(ShownTrialState(trial))};
  for (const std::string& name : columns.metrics) {
    row.push_back(MetricOf(trial, name, columns.objective, digits));
  }
  if (columns.metrics.empty()) {
    row.push_back(metric.is_object()
                      ? Number(NumberOrZero(metric, "value"), digits)
                      : "");
  }
  row.push_back(metric.is_object() ? NumberOrZero(metric, "step") : "");
  for (const std::string& name : columns.parameters) {
    row.push_back(ParameterOf(trial, name));
  }
  return row;
}

std::vector<std::string> SummaryRow(const Json& trial,
                                    const std::vector<std::string>& names) {
  const Json metric = Part(trial, "finalMetric");
  std::vector<std::string> row = {Text(trial, "trialId"),
                                  Text(metric, "objectiveValue"), ""};
  if (metric.is_object()) row[2] = NumberOrZero(metric, "trainingStep");
  for (const std::string& name : names) {
    row.push_back(Text(Part(trial, "hyperparameters"), name));
  }
  return row;
}

// Says what the trial breaks: "breaks the constraint memory <= 2500".
std::string BreaksText(const Json& trial) {
  std::vector<std::string> broken;
  for (const Json& one : Part(trial, "brokenConstraints")) {
    broken.push_back(one.is_string() ? one.get<std::string>() : "");
  }
  if (broken.empty()) return "";
  return absl::StrCat("breaks the constraint", broken.size() > 1 ? "s " : " ",
                      absl::StrJoin(broken, ", "));
}

std::string NoteOf(const Json& trial) {
  const std::string cause = Text(trial, "endCause");
  if (cause.empty()) return FirstLine(Text(trial, "waitingFor"));
  const std::string note = EndReason(cause, Text(trial, "message"));
  const std::string broken = BreaksText(trial);
  if (note.empty() || broken.empty()) return note + broken;
  return absl::StrCat(note, "; ", broken);
}

// Adds a row for each attempt of a trial, and one for its folder.
void AddAttempts(const Json& trial, TextTable* table) {
  bool has_versions = false;
  for (const Json& attempt : Part(trial, "attempts")) {
    has_versions |= NumberOrZero(attempt, "codeVersion") > "1";
  }
  for (const Json& attempt : Part(trial, "attempts")) {
    const std::string name = absl::StrCat("attempt ", Text(attempt, "number"));
    std::string how = absl::AsciiStrToLower(Text(attempt, "state"));
    const std::vector<std::pair<const char*, std::string>> particulars = {
        {"exit status ", Text(attempt, "exitCode")},
        {"signal ", Text(attempt, "signal")},
        {"", CauseWords(Text(attempt, "endCause"))},
        {"waits for ", Text(attempt, "waitingFor")}};
    for (const auto& [words, value] : particulars) {
      if (!value.empty()) absl::StrAppend(&how, ", ", words, value);
    }
    if (has_versions) {
      absl::StrAppend(&how, ", version ", Text(attempt, "codeVersion"));
    }
    AddField(name, how, table);
    AddField(absl::StrCat(name, " folder"), Text(attempt, "runDir"), table);
  }
}

}  // namespace

void AddConstraints(const Json& constraints, TextTable* table) {
  const auto bound = [](const Json& constraint, const char* key) {
    const Json value = Part(constraint, key);
    return value.is_number() ? std::optional(value.get<double>())
                             : std::nullopt;
  };
  for (const Json& one : constraints) {
    const std::string metric = Text(one, "metric");
    AddField(absl::StrCat("constraint ", metric),
             BoundsText({metric, bound(one, "min"), bound(one, "max")}), table);
  }
}

std::string ShownTrialState(const Json& trial) {
  return Text(trial, "paused") == "true" ? "PAUSED" : Text(trial, "state");
}

std::string TimeText(const std::string& time, Digits digits) {
  return digits == Digits::kFew ? LocalTime(time) : time;
}

absl::StatusOr<TextTable> JobTable(std::string_view jobs, Digits digits) {
  VERNIER_ASSIGN_OR_RETURN(const Json list, ParseJson(jobs));
  TextTable table{{"JOB_ID", "STATE", "TRIALS", "CREATED", "NOTE"}, {}};
  for (const Json& job : list) {
    std::string note = EndText(Text(job, "errorMessage"), digits);
    if (note.empty()) note = Text(Part(job, "vernier"), "waitingFor");
    note = FirstLine(note);
    if (digits == Digits::kFew && note.size() > kNoteWidth) {
      note = CutToWidth(note, kNoteWidth) + "...";
    }
    table.rows.push_back({Text(job, "jobId"), StateOf(job), JobTrials(job),
                          TimeText(Text(job, "createTime"), digits),
                          FirstLine(note)});
  }
  return table;
}

absl::StatusOr<TextTable> JobFieldTable(std::string_view job_text,
                                        Digits digits) {
  VERNIER_ASSIGN_OR_RETURN(const Json job, ParseJson(job_text));
  const Json vernier = Part(job, "vernier");
  const Json input = Part(job, "trainingInput");
  TextTable table{{"FIELD", "VALUE"}, {}};
  AddField("jobId", Text(job, "jobId"), &table);
  AddField("state", StateOf(job), &table);
  AddField("errorMessage", EndText(Text(job, "errorMessage"), digits), &table);
  AddField("waitingFor", Text(vernier, "waitingFor"), &table);
  for (const char* key : {"createTime", "startTime", "endTime"}) {
    AddField(key, TimeText(Text(job, key), digits), &table);
  }
  AddField("trials", JobTrials(job), &table);
  AddField("trialStates", TrialStates(vernier), &table);
  const Json queued = Part(vernier, "queuedPoints");
  if (!queued.empty()) {
    AddField("queuedPoints", absl::StrCat(queued.size()), &table);
  }
  AddField("metric",
           Text(Part(job, "trainingOutput"), "hyperparameterMetricTag"),
           &table);
  AddField("goal", Text(Part(input, "hyperparameters"), "goal"), &table);
  for (const Json& metric : Part(vernier, "objectives")) {
    AddField(absl::StrCat("metric ", Text(metric, "metric")),
             Text(metric, "goal"), &table);
  }
  AddConstraints(Part(vernier, "metricConstraints"), &table);
  AddField("scaleTier", Text(input, "scaleTier"), &table);
  AddField("jobDir", Text(input, "jobDir"), &table);
  if (Text(input, "jobDir").empty()) {
    AddField("files", Text(vernier, "outputDir"), &table);
  }
  for (const Json& note : Part(vernier, "codeNotes")) {
    AddField("code", note.is_string() ? note.get<std::string>() : "", &table);
  }
  AddField("seed", Text(vernier, "seed"), &table);
  std::vector<std::string> labels;
  const Json pairs = Part(job, "labels");
  for (const auto& [key, value] : pairs.items()) {
    labels.push_back(absl::StrCat(
        key, "=", value.is_string() ? value.get<std::string>() : ""));
  }
  AddField("labels", absl::StrJoin(labels, ","), &table);
  for (const Json& version : Part(vernier, "versions")) {
    const std::string changes = Text(version, "changes");
    AddField(absl::StrCat("version ", Text(version, "number")),
             absl::StrCat(TimeText(Text(version, "createTime"), digits),
                          changes.empty() ? "" : ": ", changes),
             &table);
  }
  return table;
}

absl::StatusOr<TextTable> JobSummaryTable(std::string_view job_text) {
  VERNIER_ASSIGN_OR_RETURN(const Json job, ParseJson(job_text));
  std::vector<Json> trials;
  for (const Json& trial : Part(Part(job, "trainingOutput"), "trials")) {
    trials.push_back(trial);
  }
  const auto id = [](const Json& trial) {
    return std::strtoll(Text(trial, "trialId").c_str(), nullptr, 10);
  };
  std::sort(trials.begin(), trials.end(),
            [&id](const Json& a, const Json& b) { return id(a) < id(b); });
  VERNIER_ASSIGN_OR_RETURN(std::vector<std::string> names,
                           ParameterNamesIn(job_text));
  const auto known = static_cast<std::ptrdiff_t>(names.size());
  for (const Json& trial : trials) {
    const Json values = Part(trial, "hyperparameters");
    for (const auto& [name, value] : values.items()) AddOnce(name, &names);
  }
  std::sort(names.begin() + known, names.end());
  TextTable table{{"TRIAL", "OBJECTIVE_VALUE", "STEP"}, {}};
  for (const std::string& name : names) {
    table.columns.push_back(absl::AsciiStrToUpper(name));
  }
  for (const Json& trial : trials) {
    table.rows.push_back(SummaryRow(trial, names));
  }
  return table;
}

absl::StatusOr<TextTable> TrialTable(
    std::string_view trials, TrialFiles files, Digits digits,
    const std::optional<TrialColumns>& columns) {
  VERNIER_ASSIGN_OR_RETURN(const Json list, ParseJson(trials));
  const RowColumns shown = ColumnsOf(list, columns);
  TextTable table{{"TRIAL", "STATE"}, {}};
  if (shown.metrics.empty()) table.columns.push_back("OBJECTIVE");
  for (const std::string& name : shown.metrics) table.columns.push_back(name);
  table.columns.push_back("STEP");
  for (const std::string& name : shown.parameters) {
    table.columns.push_back(name);
  }
  const bool has_all = columns.has_value();
  bool has_files = false;
  bool has_notes = has_all;
  bool has_job_dir = has_all;
  for (const Json& trial : list) {
    has_files |= !Text(trial, "filesDir").empty();
    has_job_dir |= !Text(trial, "jobDir").empty();
    has_notes |= !NoteOf(trial).empty();
  }
  // A user who gave a jobDir knows where the files are.
  if (has_all || has_job_dir) {
    has_files = files == TrialFiles::kWith && (has_all || has_files);
  }
  if (has_files) table.columns.push_back(has_job_dir ? "JOB_DIR" : "FILES");
  if (has_notes) table.columns.push_back("NOTE");
  for (const Json& trial : list) {
    std::vector<std::string> row = TrialRow(trial, shown, digits);
    if (has_files) row.push_back(Text(trial, "filesDir"));
    if (has_notes) row.push_back(NoteOf(trial));
    table.rows.push_back(std::move(row));
  }
  return table;
}

absl::StatusOr<TextTable> TrialFieldTable(std::string_view trial_text,
                                          Digits digits) {
  VERNIER_ASSIGN_OR_RETURN(const Json trial, ParseJson(trial_text));
  TextTable table{{"FIELD", "VALUE"}, {}};
  AddField("jobId", Text(trial, "jobId"), &table);
  AddField("trialId", Text(trial, "trialId"), &table);
  AddField("state", ShownTrialState(trial), &table);
  const std::string cause = Text(trial, "endCause");
  AddField("endCause", digits == Digits::kFew ? CauseWords(cause) : cause,
           &table);
  AddField("message", EndText(Text(trial, "message"), digits), &table);
  AddField("waitingFor", Text(trial, "waitingFor"), &table);
  AddField("suggester", Text(trial, "suggester"), &table);
  AddField("suggestion", Text(Part(trial, "suggestion"), "text"), &table);
  for (const char* key : {"createTime", "startTime", "endTime"}) {
    AddField(key, TimeText(Text(trial, key), digits), &table);
  }
  AddField("jobDir", Text(trial, "jobDir"), &table);
  if (Text(trial, "jobDir").empty()) {
    AddField("files", Text(trial, "filesDir"), &table);
  }
  const Json metric = Part(trial, "finalMeasurement");
  if (metric.is_object()) {
    AddField("objective", NumberOrZero(metric, "value"), &table);
    const Json values = Part(trial, "finalMetrics");
    for (const std::string& name :
         WithMetricsInRows({}, Json::array({trial}))) {
      AddField(absl::StrCat("metric ", name), Text(values, name), &table);
    }
    AddField("constraint", BreaksText(trial), &table);
    AddField("step", NumberOrZero(metric, "step"), &table);
  }
  for (const Json& parameter : Part(trial, "parameterList")) {
    AddField(absl::StrCat("parameter ", Text(parameter, "name")),
             Text(parameter, "value"), &table);
  }
  AddField("note", Text(trial, "note"), &table);
  const Json attributes = Part(trial, "attributes");
  for (const auto& [name, value] : attributes.items()) {
    AddField(absl::StrCat("attribute ", name), Text(attributes, name), &table);
  }
  AddAttempts(trial, &table);
  return table;
}

absl::StatusOr<TextTable> MeasurementTable(std::string_view measurements,
                                           Digits digits) {
  VERNIER_ASSIGN_OR_RETURN(const Json list, ParseJson(measurements));
  TextTable table{{"METRIC", "STEP", "VALUE", "TIME", "SOURCE"}, {}};
  for (const Json& measurement : list) {
    table.rows.push_back({Text(measurement, "metric"),
                          NumberOrZero(measurement, "step"),
                          NumberOrZero(measurement, "value"),
                          TimeText(Text(measurement, "reportTime"), digits),
                          Text(measurement, "source")});
  }
  return table;
}

}  // namespace vernier
