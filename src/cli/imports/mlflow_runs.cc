#include "cli/imports/mlflow_runs.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/json.h"
#include "base/process_environment.h"
#include "base/python_json.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "base/whole_number.h"
#include "cli/imports/settings_table.h"
#include "http/client/curl_fetch.h"

namespace vernier {
namespace {

constexpr std::size_t kMostAnswerBytes = std::size_t{256} << 20;
constexpr std::chrono::minutes kMlflowPatience{2};
constexpr int kRunsOfPage = 1000;

absl::Status NotMlflow(const std::string& what) {
  return absl::InvalidArgumentError(
      absl::StrCat("the answer is none of MLflow's: ", what));
}

absl::StatusOr<Json> CallFor(const MlflowCall& call, const std::string& method,
                             const Json& body) {
  VERNIER_ASSIGN_OR_RETURN(const std::string text,
                           call(method, DumpJson(body)));
  const auto answer = ParsePythonJson(text);
  if (!answer.ok()) return NotMlflow(std::string(answer.status().message()));
  if (!answer->is_object()) return NotMlflow("it is no object");
  return *answer;
}

std::string MlflowText(const Json& object, const char* key) {
  const auto whole = WholeAt(object, key);
  return whole ? absl::StrCat(*whole) : TextAt(object, key);
}

// Milliseconds since 1970, as a number or a text.
std::string MlflowTime(const Json& info, const char* key) {
  const auto milliseconds = ParseWholeNumber(MlflowText(info, key));
  if (!milliseconds.has_value() || *milliseconds <= 0) return "";
  return absl::FormatTime("%Y-%m-%dT%H:%M:%E3SZ",
                          absl::FromUnixMillis(*milliseconds),
                          absl::UTCTimeZone());
}

absl::StatusOr<TrialSettings> RunOf(const Json& run) {
  if (!run.is_object()) return NotMlflow("a run is no object");
  const Json info = run.value("info", Json::object());
  const Json data = run.value("data", Json::object());
  if (!info.is_object() || !data.is_object()) {
    return NotMlflow("a run has no info or data");
  }
  TrialSettings trial;
  trial.id = MlflowText(info, "run_id");
  trial.status = MlflowText(info, "status");
  trial.started = MlflowTime(info, "start_time");
  trial.ended = MlflowTime(info, "end_time");
  if (trial.id.empty() || trial.status.empty()) {
    return NotMlflow("a run has no run_id or status");
  }
  for (const Json& param : data.value("params", Json::array())) {
    if (!param.is_object()) return NotMlflow("a parameter is no object");
    trial.settings[MlflowText(param, "key")] = MlflowText(param, "value");
  }
  trial.settings.erase("");
  for (const Json& metric : data.value("metrics", Json::array())) {
    if (!metric.is_object()) return NotMlflow("a metric is no object");
    const auto value = metric.find("value");
    const auto number =
        value == metric.end() ? std::nullopt : PythonNumberOrWord(*value);
    if (number.has_value()) trial.values[MlflowText(metric, "key")] = *number;
  }
  return trial;
}

absl::StatusOr<std::string> ExperimentId(const MlflowCall& call,
                                         const std::string& name) {
  if (name.find('\'') != std::string::npos) {
    return absl::InvalidArgumentError(
        "the name of an experiment must have no quote");
  }
  Json body = Json::object();
  body["filter"] = absl::StrCat("name = '", name, "'");
  body["max_results"] = 1;
  VERNIER_ASSIGN_OR_RETURN(const Json answer,
                           CallFor(call, "experiments/search", body));
  const Json found = answer.value("experiments", Json::array());
  if (!found.is_array() || found.empty() || !found[0].is_object()) {
    return absl::NotFoundError(
        absl::StrCat("there is no experiment \"", ShowText(name), "\""));
  }
  return MlflowText(found[0], "experiment_id");
}

absl::StatusOr<std::vector<TrialSettings>> RunsOf(const MlflowCall& call,
                                                  const std::string& id) {
  std::vector<TrialSettings> trials;
  Json body = Json::object();
  body["experiment_ids"] = Json::array({id});
  body["max_results"] = kRunsOfPage;
  body["order_by"] = Json::array({"attributes.start_time ASC"});
  while (true) {
    VERNIER_ASSIGN_OR_RETURN(const Json answer,
                             CallFor(call, "runs/search", body));
    const Json runs = answer.value("runs", Json::array());
    for (const Json& run : runs) {
      if (trials.size() >= kMostForeignTrials) {
        return absl::ResourceExhaustedError(absl::StrCat(
            "the experiment has more than ", kMostForeignTrials, " runs"));
      }
      VERNIER_ASSIGN_OR_RETURN(trials.emplace_back(), RunOf(run));
    }
    const std::string next = MlflowText(answer, "next_page_token");
    if (next.empty() || runs.empty()) return trials;
    body["page_token"] = next;
  }
}

}  // namespace

MlflowCall CallsOfMlflow(const std::string& url) {
  return [base = url](const std::string& method,
                      const std::string& body) -> absl::StatusOr<std::string> {
    std::string trimmed = base;
    while (!trimmed.empty() && trimmed.back() == '/') trimmed.pop_back();
    HttpPost post;
    post.url = absl::StrCat(trimmed, "/api/2.0/mlflow/", method);
    post.headers = {"Content-Type: application/json"};
    const std::string token = EnvironmentVariable("MLFLOW_TRACKING_TOKEN");
    const bool is_clean = token.find_first_of("\r\n") == std::string::npos;
    if (!token.empty() && is_clean) {
      post.headers.push_back(absl::StrCat("Authorization: Bearer ", token));
    }
    post.body = body;
    post.time_limit = kMlflowPatience;
    VERNIER_ASSIGN_OR_RETURN(const FetchedAnswer answer,
                             FetchAnswer(post, kMostAnswerBytes));
    if (answer.status == 200) return answer.body;
    return absl::FailedPreconditionError(
        absl::StrCat("answered ", answer.status, " to ", method, ": ",
                     ShowText(answer.body, 300)));
  };
}

absl::StatusOr<ForeignStudy> ReadMlflowRuns(const MlflowCall& call,
                                            const std::string& source,
                                            const std::string& experiment,
                                            const TableFlags& flags) {
  VERNIER_ASSIGN_OR_RETURN(TableColumns columns, ColumnsFromFlags(flags));
  const auto at = [&](const absl::Status& status) {
    return absl::Status(
        status.code(),
        absl::StrCat(source, ": ", std::string(status.message())));
  };
  const auto id = ExperimentId(call, experiment);
  if (!id.ok()) return at(id.status());
  const auto trials = RunsOf(call, *id);
  if (!trials.ok()) return at(trials.status());
  if (trials->empty()) {
    return absl::NotFoundError(absl::StrCat(
        source, ": experiment \"", ShowText(experiment), "\" has no runs"));
  }
  std::vector<std::string> notes;
  const CsvTable table = SettingsTable(*trials, &columns, &notes);
  VERNIER_ASSIGN_OR_RETURN(ForeignStudy study,
                           StudyFromTable(table, columns, source, experiment));
  study.tool = "mlflow";
  study.notes.insert(study.notes.end(), notes.begin(), notes.end());
  return study;
}

}  // namespace vernier
