#include "cluster/attempt/exit_record.h"

#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/process/signal_name.h"
#include "base/small_file.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

std::string ExitRecordPath(const std::string& attempt_dir) {
  return attempt_dir + "/exit.json";
}

// Returns a text such as "9(SIGKILL)", the form that AI Platform prints.
std::string SignalText(int signal) {
  const std::string_view name = SignalName(signal);
  std::string text = std::to_string(signal);
  if (!name.empty()) absl::StrAppend(&text, "(SIG", std::string(name), ")");
  return text;
}

std::string StatusText(const ReplicaEnd& end) {
  if (end.signal) return SignalText(*end.signal);
  return std::to_string(end.exit_code.value_or(0));
}

Json ReplicaToJson(ReplicaId replica, const ReplicaEnd& end) {
  Json json = Json::object();
  json["role"] = std::string(ToString(replica.role));
  json["index"] = replica.index;
  if (end.exit_code) json["exit_code"] = *end.exit_code;
  if (end.signal) json["signal"] = *end.signal;
  return json;
}

ReplicaRole RoleFromText(const std::string& text) {
  for (ReplicaRole role : {ReplicaRole::kWorker, ReplicaRole::kParameterServer,
                           ReplicaRole::kEvaluator}) {
    if (text == ToString(role)) return role;
  }
  return ReplicaRole::kMaster;
}

ExitRecord ExitRecordFrom(const Json& json) {
  ExitRecord record;
  record.nonce = json.at("nonce").get<std::string>();
  for (const Json& item : json.at("replicas")) {
    record.replicas.push_back({RoleFromText(item.at("role").get<std::string>()),
                               item.at("index").get<int>()});
    ReplicaEnd end;
    if (item.contains("exit_code")) {
      end.exit_code = item["exit_code"].get<int>();
    }
    if (item.contains("signal")) end.signal = item["signal"].get<int>();
    record.ends.push_back(end);
  }
  if (json.contains("deciding")) {
    record.deciding = json["deciding"].get<std::size_t>();
    if (*record.deciding >= record.ends.size()) record.deciding.reset();
  }
  record.out_of_memory = json.at("out_of_memory").get<bool>();
  record.stopped_by_request = json.at("stopped_by_request").get<bool>();
  record.launch_failed = json.at("launch_failed").get<bool>();
  record.lost_output = json.value("lost_output", std::int64_t{0});
  record.message = json.at("message").get<std::string>();
  record.log_tail = json.value("log_tail", "");
  record.lasted =
      std::chrono::microseconds(json.at("lasted_us").get<std::int64_t>());
  return record;
}

}  // namespace

std::string DescribeEnd(const ExitRecord& record) {
  if (!record.deciding) {
    return record.stopped_by_request ? "Stopped before it was started." : "";
  }
  const ReplicaEnd& end = record.ends[*record.deciding];
  const std::string who =
      "The replica " + ReplicaTitle(record.replicas[*record.deciding]);
  if (record.stopped_by_request) {
    return who + " was stopped on request and ended with status " +
           StatusText(end) + ".";
  }
  if (end.is_success()) return "";
  if (record.out_of_memory) {
    return who + " ran out-of-memory and exited with a non-zero status of " +
           StatusText(end) + ".";
  }
  return who + " exited with a non-zero status of " + StatusText(end) +
         ". Termination reason: Error.";
}

ExitRecord FailedLaunch(const absl::Status& why) {
  ExitRecord record;
  record.launch_failed = true;
  record.message = std::string(why.message());
  return record;
}

ExitRecord StoppedBeforeStart() {
  ExitRecord record;
  record.stopped_by_request = true;
  record.message = DescribeEnd(record);
  return record;
}

absl::Status WriteExitRecord(const std::string& attempt_dir,
                             const ExitRecord& record) {
  Json json = Json::object();
  json["version"] = 1;
  json["nonce"] = record.nonce;
  json["replicas"] = Json::array();
  for (std::size_t i = 0; i < record.replicas.size(); ++i) {
    json["replicas"].push_back(
        ReplicaToJson(record.replicas[i], record.ends[i]));
  }
  if (record.deciding) json["deciding"] = *record.deciding;
  json["out_of_memory"] = record.out_of_memory;
  json["stopped_by_request"] = record.stopped_by_request;
  json["launch_failed"] = record.launch_failed;
  if (record.lost_output > 0) json["lost_output"] = record.lost_output;
  json["message"] = record.message;
  if (!record.log_tail.empty()) json["log_tail"] = record.log_tail;
  json["lasted_us"] = record.lasted.count();
  return ReplaceFile(ExitRecordPath(attempt_dir), DumpJson(json) + "\n",
                     Durability::kSynced);
}

absl::StatusOr<ExitRecord> ReadExitRecord(const std::string& attempt_dir) {
  const std::string path = ExitRecordPath(attempt_dir);
  absl::StatusOr<std::string> text = ReadSmallFile(path);
  if (absl::IsOutOfRange(text.status())) {
    return absl::DataLossError(std::string(text.status().message()));
  }
  VERNIER_RETURN_IF_ERROR(text.status());
  absl::StatusOr<Json> json = ParseJson(*text);
  if (!json.ok()) {
    return absl::DataLossError(path + ": " +
                               std::string(json.status().message()));
  }
  try {
    return ExitRecordFrom(*json);
  } catch (const Json::exception& error) {
    return absl::DataLossError(path + ": " + error.what());
  }
}

}  // namespace vernier
