#include "cli/display/study_tables.h"

#include <cstddef>
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cli/display/resource_tables.h"

namespace vernier {
namespace {

std::string BestOf(const Json& study) {
  if (!study.contains("bestTrial")) return "";
  const Json& trial = study.at("bestTrial");
  if (!trial.contains("finalMeasurement")) return "";
  // The service leaves out a value of 0.
  return ShortNumber(trial.at("finalMeasurement").value("value", 0.0));
}

std::string MetricsOf(const Json& study) {
  std::string text;
  for (const Json& metric : study.value("metrics", Json::array())) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", metric.value("name", ""),
                    " (", metric.value("goal", ""), ")");
  }
  return text;
}

// Returns the worst values of the metrics that are still of use, in the order
// of the metrics: "error 0.5, latency 8".
std::string ReferenceOf(const Json& study, const Json& front) {
  const Json reference = front.value("reference", Json::object());
  std::string text;
  for (const Json& metric : study.value("metrics", Json::array())) {
    const std::string name = metric.value("name", "");
    const auto found = reference.find(name);
    if (found == reference.end() || !found->is_number()) continue;
    absl::StrAppend(&text, text.empty() ? "" : ", ", name, " ",
                    ShortNumber(found->get<double>()));
  }
  return text;
}

std::string StudyTrials(const Json& study) {
  const int all = study.value("trialCount", 0);
  return absl::StrCat(all - study.value("openTrialCount", 0), "/", all);
}

const char* PresenceText(const std::string& presence) {
  if (presence == "RUNS") return "";
  return presence == "GONE" ? " (has ended)" : " (elsewhere)";
}

/// Returns, for instance, "process 4711 on tower, worker-1 (elsewhere)".
std::string WorkersOf(const Json& study) {
  std::string text;
  for (const Json& worker : study.value("workers", Json::array())) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", worker.value("name", ""),
                    PresenceText(worker.value("presence", "")));
  }
  return text;
}

std::string RunningOf(const Json& study) {
  return absl::StrCat(study.value("runningTrialCount", 0));
}

const char* RunnerOf(const Json& study) {
  return study.value("runByClients", false) ? "clients" : "job";
}

}  // namespace

absl::StatusOr<TextTable> StudyTable(std::string_view studies, Digits digits) {
  VERNIER_ASSIGN_OR_RETURN(const Json list, ParseJson(studies));
  TextTable table{
      {"ID", "NAME", "STATE", "RUN_BY", "TRIALS", "BEST", "CREATED"}, {}};
  for (const Json& study : list) {
    table.rows.push_back({study.value("studyId", ""), study.value("name", ""),
                          ShownStudyState(study), RunnerOf(study),
                          StudyTrials(study), BestOf(study),
                          TimeText(study.value("createTime", ""), digits)});
  }
  return table;
}

std::string ShownStudyState(const Json& study) {
  return study.value("idle", false) ? "IDLE" : study.value("state", "");
}

std::string ShortStudyName(const std::string& name) {
  constexpr std::string_view kMiddle = "/studies/";
  const std::size_t at = name.rfind(kMiddle);
  return at == std::string::npos ? name : name.substr(at + kMiddle.size());
}

absl::StatusOr<TextTable> WorkedOnTable(std::string_view studies,
                                        Digits digits) {
  VERNIER_ASSIGN_OR_RETURN(const Json list, ParseJson(studies));
  TextTable table{{"STUDY", "STATE", "TRIALS", "RUNNING", "BEST",
                   "LAST_ACTIVITY", "WORKED_ON_BY"},
                  {}};
  for (const Json& study : list) {
    table.rows.push_back({ShortStudyName(study.value("name", "")),
                          ShownStudyState(study), StudyTrials(study),
                          RunningOf(study), BestOf(study),
                          TimeText(study.value("lastActivityTime", ""), digits),
                          WorkersOf(study)});
  }
  return table;
}

namespace {

// Adds the points that wait to be trusted, a row each.
void AddProposals(const Json& study, TextTable* table) {
  constexpr std::size_t kMostShown = 20;
  const Json proposed = study.value("proposedPoints", Json::array());
  for (std::size_t i = 0; i < proposed.size(); ++i) {
    if (i == kMostShown) {
      table->rows.push_back(
          {"proposed", absl::StrCat("and ", proposed.size() - i, " more")});
      return;
    }
    // A message's map has no order of its own.
    std::map<std::string, Json> by_name;
    for (const auto& [name, value] : proposed[i].at("parameters").items()) {
      by_name.emplace(name, value);
    }
    std::string values;
    for (const auto& [name, value] : by_name) {
      absl::StrAppend(&values, " ", name, "=", PlainText(value));
    }
    table->rows.push_back(
        {"proposed", absl::StrCat("by \"", proposed[i].value("source", ""),
                                  "\":", values)});
  }
}

}  // namespace

absl::StatusOr<TextTable> StudyFieldTable(std::string_view study,
                                          Digits digits) {
  VERNIER_ASSIGN_OR_RETURN(const Json json, ParseJson(study));
  TextTable table{{"FIELD", "VALUE"}, {}};
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) table.rows.push_back({name, value});
  };
  add("studyId", json.value("studyId", ""));
  add("name", json.value("name", ""));
  add("runBy", RunnerOf(json));
  add("state", ShownStudyState(json));
  add("stateReason", json.value("stateReason", ""));
  add("metrics", MetricsOf(json));
  AddConstraints(json.value("metricConstraints", Json::array()), &table);
  add("algorithm", json.value("algorithm", ""));
  add("stoppingRule", json.value("stoppingRule", ""));
  add("trials", StudyTrials(json));
  if (json.value("runByClients", false)) add("running", RunningOf(json));
  add("workedOnBy", WorkersOf(json));
  add("lastActivity", TimeText(json.value("lastActivityTime", ""), digits));
  add("bestTrial", json.contains("bestTrial")
                       ? json.at("bestTrial").value("trialId", "")
                       : "");
  add("bestValue", BestOf(json));
  const Json front = json.value("front", Json::object());
  std::vector<std::string> on_front;
  for (const Json& trial : front.value("trials", Json::array())) {
    on_front.push_back(trial.is_string() ? trial.get<std::string>() : "");
  }
  add("front", absl::StrJoin(on_front, " "));
  add("balanced", front.value("kneeTrial", ""));
  add("reference", ReferenceOf(json, front));
  if (front.contains("hypervolume")) {
    add("hypervolume", ShortNumber(front["hypervolume"].get<double>()));
  }
  AddProposals(json, &table);
  add("note", json.value("note", ""));
  const Json attributes = json.value("attributes", Json::object());
  for (const auto& [name, value] : attributes.items()) {
    table.rows.push_back({name, value.get<std::string>()});
  }
  add("createTime", TimeText(json.value("createTime", ""), digits));
  return table;
}

}  // namespace vernier
