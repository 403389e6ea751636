#include "cli/imports/ray_folder.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/python_json.h"
#include "base/status_macros.h"
#include "cli/imports/csv_table.h"
#include "cli/imports/foreign_file.h"
#include "cli/imports/left_out_trials.h"
#include "cli/imports/settings_table.h"
#include "cli/imports/table_study.h"

namespace vernier {
namespace {

namespace folders = std::filesystem;

constexpr std::size_t kLongestParams = std::size_t{1} << 20;
constexpr std::size_t kLongestResults = std::size_t{64} << 20;
constexpr std::size_t kLongestState = std::size_t{256} << 20;
// Of all files of an experiment.
constexpr std::size_t kMostResultBytes = std::size_t{2} << 30;
constexpr std::size_t kMostEntries = 100'000;

// What lies in a folder; no links.
absl::StatusOr<std::vector<std::string>> EntriesOf(const std::string& path,
                                                   folders::file_type type) {
  std::error_code error;
  std::vector<std::string> names;
  std::size_t count = 0;
  folders::directory_iterator at(path, error);
  for (; !error && at != folders::directory_iterator(); at.increment(error)) {
    if (++count > kMostEntries) {
      return absl::ResourceExhaustedError(
          absl::StrCat(path, ": has more than ", kMostEntries, " entries"));
    }
    std::error_code unseen;
    if (at->symlink_status(unseen).type() != type || unseen) continue;
    names.push_back(at->path().filename().string());
  }
  if (error) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": cannot be read: ", error.message()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool IsPlainFile(const std::string& path) {
  std::error_code error;
  return folders::symlink_status(path, error).type() ==
         folders::file_type::regular;
}

// Ray names a nested setting by all names on the way to it.
void Flatten(const std::string& name,  // NOLINT(misc-no-recursion)
             const Json& value, std::map<std::string, std::string>* cells) {
  if (value.is_object()) {
    // What Ray could not write as JSON is a pickle, in hexadecimal digits.
    if (value.contains("_type")) return;
    for (const auto& item : value.items()) {
      Flatten(name.empty() ? item.key() : absl::StrCat(name, "/", item.key()),
              item.value(), cells);
    }
    return;
  }
  if (name.empty() || value.is_null()) return;
  const bool is_text = value.is_string() && !PythonNumber(value);
  (*cells)[name] = is_text ? value.get<std::string>() : DumpPythonJson(value);
}

// A metric in a report: "loss", or "eval/loss" in an object.
const Json* FindMetric(const Json& row, const std::string& name) {
  const Json* at = &row;
  std::string_view rest = name;
  while (true) {
    if (!at->is_object()) return nullptr;
    const auto whole = at->find(std::string(rest));
    if (whole != at->end()) return &*whole;
    const std::size_t slash = rest.find('/');
    if (slash == std::string_view::npos) return nullptr;
    const auto outer = at->find(std::string(rest.substr(0, slash)));
    if (outer == at->end()) return nullptr;
    at = &*outer;
    rest.remove_prefix(slash + 1);
  }
}

struct RayTrial {
  TrialSettings settings;
  // By step. A trial that goes back to a checkpoint takes back what it has
  // reported behind that.
  std::map<std::int64_t, MetricReport> reports;
  bool has_more_reports = false;  // Than there is room for.
};

// Reads one experiment.
class RayReading {
 public:
  RayReading(std::string path, std::vector<MetricGoal> metrics)
      : path_(std::move(path)), metrics_(std::move(metrics)) {}

  absl::StatusOr<std::vector<RayTrial>> Run() {
    VERNIER_RETURN_IF_ERROR(ReadStates());
    VERNIER_ASSIGN_OR_RETURN(const std::vector<std::string> names,
                             EntriesOf(path_, folders::file_type::directory));
    std::vector<RayTrial> trials;
    for (const std::string& name : names) {
      const std::string folder = absl::StrCat(path_, "/", name);
      if (!IsPlainFile(folder + "/params.json")) continue;
      if (trials.size() >= kMostForeignTrials) {
        return absl::ResourceExhaustedError(absl::StrCat(
            path_, ": has more than ", kMostForeignTrials, " trials"));
      }
      VERNIER_ASSIGN_OR_RETURN(trials.emplace_back(), ReadTrial(folder, name));
    }
    if (trials.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat(path_,
                       ": has no folder with a params.json: it must be the "
                       "folder of one experiment of Ray Tune"));
    }
    return trials;
  }

 private:
  absl::StatusOr<std::string> ReadFile(const std::string& file,
                                       std::size_t limit) {
    VERNIER_ASSIGN_OR_RETURN(std::string text, ReadForeignFile(file, limit));
    bytes_ += text.size();
    if (bytes_ > kMostResultBytes) {
      return absl::ResourceExhaustedError(absl::StrCat(
          path_, ": its files have more than ", kMostResultBytes, " bytes"));
    }
    return text;
  }

  static absl::Status Wrong(const std::string& where, const std::string& what) {
    return absl::InvalidArgumentError(absl::StrCat(where, ": ", what));
  }

  // The newest state file has the time of its session in its name.
  absl::Status ReadStates() {
    VERNIER_ASSIGN_OR_RETURN(const std::vector<std::string> files,
                             EntriesOf(path_, folders::file_type::regular));
    std::string newest;
    for (const std::string& name : files) {
      if (name.rfind("experiment_state-", 0) == 0 && name.ends_with(".json")) {
        newest = absl::StrCat(path_, "/", name);
      }
    }
    if (newest.empty()) return absl::OkStatus();
    VERNIER_ASSIGN_OR_RETURN(const std::string text,
                             ReadFile(newest, kLongestState));
    const auto state = ParsePythonJson(text);
    if (!state.ok()) {
      return Wrong(newest, std::string(state.status().message()));
    }
    if (!state->is_object()) return absl::OkStatus();
    for (const Json& pair : state->value("trial_data", Json::array())) {
      if (!pair.is_array() || pair.empty() || !pair[0].is_string()) continue;
      const auto trial = ParsePythonJson(pair[0].get<std::string>());
      if (!trial.ok() || !trial->is_object()) continue;
      const std::string id = TextAt(*trial, "trial_id");
      const std::string status = TextAt(*trial, "status");
      if (id.empty() || status.empty()) continue;
      known_[id] = {id, status};
      known_[TextAt(*trial, "relative_logdir")] = {id, status};
    }
    return absl::OkStatus();
  }

  absl::StatusOr<RayTrial> ReadTrial(const std::string& folder,
                                     const std::string& name) {
    RayTrial trial;
    trial.settings.id = name;
    const std::string params = folder + "/params.json";
    VERNIER_ASSIGN_OR_RETURN(const std::string text,
                             ReadFile(params, kLongestParams));
    const auto config = ParsePythonJson(text);
    if (!config.ok()) {
      return Wrong(params, std::string(config.status().message()));
    }
    if (!config->is_object()) return Wrong(params, "must be a JSON object");
    Flatten("", *config, &trial.settings.settings);
    if (IsPlainFile(folder + "/result.json")) {
      VERNIER_RETURN_IF_ERROR(ReadResults(folder + "/result.json", &trial));
    }
    auto known = known_.find(name);
    if (known == known_.end()) known = known_.find(trial.settings.id);
    if (known != known_.end()) {
      trial.settings.id = known->second.id;
      trial.settings.status = known->second.status;
    } else if (IsPlainFile(folder + "/error.txt")) {
      trial.settings.status = "ERROR";
    } else {
      trial.settings.status = trial.reports.empty() ? "PENDING" : "TERMINATED";
    }
    return trial;
  }

  absl::Status ReadResults(const std::string& file, RayTrial* trial) {
    VERNIER_ASSIGN_OR_RETURN(const std::string text,
                             ReadFile(file, kLongestResults));
    std::string_view rest = text;
    for (std::size_t line = 1; !rest.empty(); ++line) {
      const std::size_t end = rest.find('\n');
      if (end == std::string_view::npos) break;  // It is being written.
      const std::string_view one = rest.substr(0, end);
      rest.remove_prefix(end + 1);
      if (one.empty()) continue;
      const auto row = ParsePythonJson(one);
      const std::string where = absl::StrCat(file, ": line ", line);
      if (!row.ok()) return Wrong(where, std::string(row.status().message()));
      if (!row->is_object()) return Wrong(where, "must be a JSON object");
      AddReport(*row, trial);
    }
    return absl::OkStatus();
  }

  void AddReport(const Json& row, RayTrial* trial) {
    if (std::string id = TextAt(row, "trial_id"); !id.empty()) {
      trial->settings.id = std::move(id);
    }
    MetricReport report;
    report.step = WholeAt(row, "training_iteration")
                      .value_or(std::ssize(trial->reports) + 1);
    constexpr double kMostSeconds = 1e10;
    const auto seconds = row.find("time_total_s");
    if (seconds != row.end() && seconds->is_number()) {
      const double time = seconds->get<double>();
      if (time > 0 && time < kMostSeconds) {
        report.elapsed = std::chrono::microseconds(std::llround(time * 1e6));
      }
    }
    for (const MetricGoal& metric : metrics_) {
      const Json* const found = FindMetric(row, metric.name);
      const auto value = found == nullptr ? std::nullopt : PythonNumber(*found);
      if (value.has_value()) report.metrics.push_back({metric.name, *value});
    }
    if (report.metrics.empty() || report.step < 0) return;
    auto& reports = trial->reports;
    reports.erase(reports.lower_bound(report.step), reports.end());
    // The last one is the trial's value, so it takes the place of the one
    // before it where there is no more room.
    trial->has_more_reports |= reports.size() >= kMostForeignReports;
    if (reports.size() >= kMostForeignReports) {
      reports.erase(std::prev(reports.end()));
    }
    reports.emplace_hint(reports.end(), report.step, std::move(report));
  }

  const std::string path_;
  const std::vector<MetricGoal> metrics_;
  struct Known {
    std::string id;
    std::string status;
  };
  std::map<std::string, Known> known_;  // By id, and by the trial's folder.
  std::size_t bytes_ = 0;
};

// The last value of each metric; the reports are in the order of their steps.
std::map<std::string, double> LastValues(const RayTrial& trial) {
  std::map<std::string, double> values;
  for (const auto& [step, report] : trial.reports) {
    for (const MetricValue& one : report.metrics) {
      values[one.metric] = one.value;
    }
  }
  return values;
}

void AttachReports(const std::vector<RayTrial>& trials, ForeignStudy* study) {
  LeftOutTrials left_out;
  std::map<std::string, const RayTrial*> by_id;
  for (const RayTrial& trial : trials) by_id[trial.settings.id] = &trial;
  for (ForeignTrial& trial : study->trials) {
    const RayTrial& from = *by_id.at(trial.id);
    for (const auto& [step, report] : from.reports) {
      trial.reports.push_back(report);
    }
    if (from.has_more_reports) {
      left_out.Add(absl::StrCat("of its reports only the first ",
                                kMostForeignReports - 1, " and the last"),
                   trial.id);
    }
    if (trial.final_report.has_value() && !from.reports.empty()) {
      trial.final_report->step = from.reports.rbegin()->first;
      trial.final_report->elapsed = from.reports.rbegin()->second.elapsed;
    }
  }
  for (std::string& line : left_out.Lines()) {
    study->notes.push_back(std::move(line));
  }
}

}  // namespace

absl::StatusOr<ForeignStudy> ReadRayFolder(const std::string& path,
                                           const TableFlags& flags) {
  VERNIER_ASSIGN_OR_RETURN(TableColumns columns, ColumnsFromFlags(flags));
  VERNIER_ASSIGN_OR_RETURN(const std::vector<RayTrial> trials,
                           RayReading(path, columns.metrics).Run());
  std::vector<TrialSettings> settings;
  for (const RayTrial& trial : trials) {
    settings.push_back(trial.settings);
    settings.back().values = LastValues(trial);
  }
  std::vector<std::string> notes;
  const CsvTable table = SettingsTable(settings, &columns, &notes);
  folders::path name = folders::path(path).lexically_normal();
  if (!name.has_filename()) name = name.parent_path();
  VERNIER_ASSIGN_OR_RETURN(
      ForeignStudy study,
      StudyFromTable(table, columns, path, name.filename().string()));
  study.tool = "ray";
  study.notes.insert(study.notes.end(), notes.begin(), notes.end());
  AttachReports(trials, &study);
  return study;
}

}  // namespace vernier
