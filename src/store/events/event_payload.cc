#include "store/events/event_payload.h"

#include "absl/strings/str_cat.h"
#include "base/json.h"

namespace vernier {
namespace {

std::string Text(std::string_view text) { return std::string(text); }

}  // namespace

std::string JobCreatedPayload(JobRef job) {
  Json json = {{"job_id", job->name},
               {"state", Text(ToString(job.run().state))},
               {"wanted", Text(ToString(job.run().wanted))},
               {"spec_json", job.run().spec_json},
               {"ignored_fields", job.run().ignored_fields},
               {"seed", job->seed},
               {"max_trials", job.run().max_trials},
               {"labels", Json(Json::object())},
               {"code_dir", job.run().code_dir},
               {"run_dir", job.run().run_dir}};
  if (!job.run().code_digest.empty()) {
    json["code_digest"] = job.run().code_digest;
  }
  for (const auto& [key, value] : job->labels) json["labels"][key] = value;
  if (job.run().resumed_study.has_value()) {
    json["resumed_study"] = ToInt(*job.run().resumed_study);
  }
  return DumpJson(json);
}

std::string JobMovedPayload(JobState from, const JobRun& job) {
  Json json = {{"from", Text(ToString(from))},
               {"to", Text(ToString(job.state))}};
  if (!job.error_message.empty()) json["error_message"] = job.error_message;
  return DumpJson(json);
}

std::string JobWantedPayload(const JobRun& job) {
  return DumpJson({{"wanted", Text(ToString(job.wanted))},
                   {"cause", Text(ToString(job.wanted_cause))},
                   {"reason", job.wanted_reason}});
}

std::string JobLabelsPayload(const StudyRecord& job) {
  return absl::StrCat("{\"labels\":", LabelsToJson(job.labels), "}");
}

std::string JobExtendedPayload(const JobRun& job) {
  if (job.made_up_trials == 0) {
    return absl::StrCat("{\"max_trials\":", job.max_trials, "}");
  }
  return absl::StrCat("{\"max_trials\":", job.max_trials,
                      ",\"made_up_trials\":", job.made_up_trials, "}");
}

std::string JobRevisedPayload(JobRef job) {
  Json json = {{"version", job.run().code_version},
               {"changes", job.run().version_changes},
               {"spec_json", job.run().spec_json},
               {"ignored_fields", job.run().ignored_fields},
               {"max_trials", job.run().max_trials},
               {"made_up_trials", job.run().made_up_trials},
               {"labels", Json(Json::object())},
               {"code_dir", job.run().code_dir},
               {"code_digest", job.run().code_digest}};
  for (const auto& [key, value] : job->labels) json["labels"][key] = value;
  return DumpJson(json);
}

std::string JobDeletedPayload(const StudyRecord& job) {
  return DumpJson({{"job_id", job.name}});
}

std::string PointQueuedPayload(const QueuedPoint& point) {
  return absl::StrCat("{\"for_trial\":", ToInt(point.trial),
                      ",\"parameters\":", ParametersToJson(point.parameters),
                      "}");
}

std::string PointProposedPayload(const ProposedPoint& point) {
  return absl::StrCat("{\"source\":", DumpJson(Json(point.source)),
                      ",\"parameters\":", ParametersToJson(point.parameters),
                      "}");
}

std::string TrialCreatedPayload(const TrialRecord& trial) {
  // The stored text of the parameters is inserted unchanged, because another
  // JSON writer could round a double differently.
  return absl::StrCat(
      "{\"parameters\":", ParametersToJson(trial.parameters),
      ",\"suggester\":", DumpJson(Json(trial.origin.suggester)),
      ",\"seen_events\":", ToInt(trial.origin.seen_events),
      trial.origin.record.has_value()
          ? absl::StrCat(",\"suggestion\":",
                         SuggestionRecordToJson(*trial.origin.record))
          : "",
      trial.brought.empty() ? ""
                            : absl::StrCat(",\"brought_reports\":",
                                           MetricReportsToJson(trial.brought)),
      "}");
}

std::string TrialMovedPayload(TrialState from, const TrialRecord& trial) {
  Json json = {{"from", Text(ToString(from))},
               {"to", Text(ToString(trial.state))}};
  if (!trial.message.empty()) json["message"] = trial.message;
  if (trial.state == TrialState::kActive && !trial.client_id.empty()) {
    json["client_id"] = trial.client_id;
  }
  if (IsTerminal(trial.state)) {
    json["cause"] = Text(ToString(trial.end_cause));
    if (trial.final_measurement.has_value()) {
      json["final_measurement"] = {{"step", trial.final_measurement->step},
                                   {"value", trial.final_measurement->value}};
    }
    if (trial.final_report.has_value()) {
      json["final_report"] = MetricReportToJson(*trial.final_report);
    }
  }
  return DumpJson(json);
}

std::string AttemptIntendedPayload(const AttemptRecord& attempt) {
  Json json = {{"nonce", attempt.nonce}, {"devices", attempt.devices}};
  if (attempt.code_version > 1) json["version"] = attempt.code_version;
  if (!attempt.message.empty()) json["message"] = attempt.message;
  return DumpJson(json);
}

std::string AttemptMovedPayload(AttemptState from,
                                const AttemptRecord& attempt) {
  Json json = {{"from", Text(ToString(from))},
               {"to", Text(ToString(attempt.state))}};
  if (IsTerminal(attempt.state)) {
    json["cause"] = Text(ToString(attempt.end_cause));
    if (attempt.exit_code.has_value()) json["exit_code"] = *attempt.exit_code;
    if (attempt.signal.has_value()) json["signal"] = *attempt.signal;
    if (!attempt.message.empty()) json["message"] = attempt.message;
    json["lasted_us"] = attempt.lasted.count();
  }
  return DumpJson(json);
}

std::string AttemptKillWantedPayload(const AttemptRecord& attempt) {
  Json json = {{"cause", Text(ToString(attempt.kill_cause))}};
  if (!attempt.message.empty()) json["message"] = attempt.message;
  return DumpJson(json);
}

std::string StringsToJson(const std::vector<std::string>& strings) {
  if (strings.empty()) return "[]";
  return DumpJson(Json(strings));
}

std::string SeenMetricsToJson(const std::vector<SeenMetric>& metrics) {
  Json list = Json::array();
  for (const SeenMetric& metric : metrics) {
    list.push_back(Json::array({metric.name, static_cast<int>(metric.road)}));
  }
  return DumpJson(list);
}

std::string LabelsToJson(const std::map<std::string, std::string>& labels) {
  Json json = Json::object();
  for (const auto& [key, value] : labels) json[key] = value;
  return DumpJson(json);
}

std::string EndCountsToJson(const std::map<TrialEndCause, int>& ended) {
  if (ended.empty()) return "[]";
  Json json = Json::array();
  for (const auto& [cause, count] : ended) {
    json.push_back(Json::array({static_cast<int>(cause), count}));
  }
  return DumpJson(json);
}

}  // namespace vernier
