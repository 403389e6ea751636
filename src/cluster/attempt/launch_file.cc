#include "cluster/attempt/launch_file.h"

#include <map>
#include <utility>

#include "base/json.h"
#include "base/status_macros.h"
#include "study/job_file/job_parser.h"

namespace vernier {
namespace {

constexpr int kVersion = 2;

using Paths = std::map<std::string, std::string>;

std::string LaunchFilePath(const std::string& attempt_dir) {
  return attempt_dir + "/launch.json";
}

// JSON keeps the three types apart, because the writer prints a whole double as
// "3.0".
Json ToJson(const Parameters& parameters) {
  Json array = Json::array();
  for (const NamedValue& parameter : parameters) {
    Json item = Json::object();
    item["name"] = parameter.name;
    std::visit([&](const auto& value) { item["value"] = value; },
               parameter.value);
    array.push_back(std::move(item));
  }
  return array;
}

Parameters ParametersFrom(const Json& array) {
  Parameters parameters;
  for (const Json& item : array) {
    NamedValue parameter;
    parameter.name = item.at("name").get<std::string>();
    const Json& value = item.at("value");
    if (value.is_string()) {
      parameter.value = value.get<std::string>();
    } else if (value.is_number_float()) {
      parameter.value = value.get<double>();
    } else {
      parameter.value = value.get<std::int64_t>();
    }
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

Json ToJson(const ContainerSettings& settings) {
  Json json = Json::object();
  json["engine"] = settings.engine;
  json["state_dir"] = settings.state_dir;
  json["mounts"] = settings.mounts;
  json["limits_machines"] = settings.limits_machines;
  return json;
}

// An attempt of an older service has no settings, and no containers.
ContainerSettings ContainersFrom(const Json& launch) {
  ContainerSettings settings;
  const auto json = launch.find("containers");
  if (json == launch.end()) return settings;
  settings.engine = json->at("engine").get<std::string>();
  settings.state_dir = json->at("state_dir").get<std::string>();
  settings.mounts = json->at("mounts").get<std::vector<std::string>>();
  settings.limits_machines = json->at("limits_machines").get<bool>();
  return settings;
}

LaunchFile LaunchFileFrom(const Json& json) {
  LaunchFile launch;
  launch.attempt.study = StudyId{json.at("study").get<std::int64_t>()};
  launch.attempt.trial = TrialId{json.at("trial").get<std::int64_t>()};
  launch.attempt.number = json.at("attempt").get<int>();
  launch.nonce = json.at("nonce").get<std::string>();
  launch.spec_json = json.at("job").get<std::string>();
  launch.project = json.value("project", launch.project);
  launch.restart_count = json.value("restart_count", 0);
  launch.repeat = json.value("repeat", 0);
  launch.parameters = ParametersFrom(json.at("parameters"));
  launch.work_dir = json.at("work_dir").get<std::string>();
  launch.code_dir = json.value("code_dir", "");
  launch.devices = json.at("devices").get<std::vector<std::string>>();
  launch.machine_has_gpus = json.at("machine_has_gpus").get<bool>();
  launch.log_cap_bytes = json.at("log_cap_bytes").get<std::int64_t>();
  launch.resources.job_dir = json.at("job_dir").get<std::string>();
  launch.resources.packages =
      json.at("packages").get<std::vector<std::string>>();
  launch.resources.python = json.at("python").get<std::string>();
  ServiceAddresses& service = launch.resources.service;
  service.storage_emulator_host =
      json.at("storage_emulator_host").get<std::string>();
  service.grpc_endpoint = json.value("grpc_endpoint", "");
  service.attempt_token = json.value("attempt_token", "");
  service.trace_parent = json.value("trace_parent", "");
  launch.resources.local_paths = json.value("local_paths", Paths());
  launch.resources.notes = json.value("notes", std::vector<std::string>());
  launch.package_dir = json.at("package_dir").get<std::string>();
  launch.containers = ContainersFrom(json);
  launch.failure = json.at("failure").get<std::string>();
  return launch;
}

}  // namespace

absl::Status WriteLaunchFile(const std::string& attempt_dir,
                             const LaunchFile& launch, Durability durability) {
  Json json = Json::object();
  json["version"] = kVersion;
  json["study"] = ToInt(launch.attempt.study);
  json["trial"] = ToInt(launch.attempt.trial);
  json["attempt"] = launch.attempt.number;
  json["nonce"] = launch.nonce;
  json["project"] = launch.project;
  json["restart_count"] = launch.restart_count;
  if (launch.repeat > 0) json["repeat"] = launch.repeat;
  json["parameters"] = ToJson(launch.parameters);
  json["work_dir"] = launch.work_dir;
  json["code_dir"] = launch.code_dir;
  json["devices"] = launch.devices;
  json["machine_has_gpus"] = launch.machine_has_gpus;
  json["log_cap_bytes"] = launch.log_cap_bytes;
  json["job_dir"] = launch.resources.job_dir;
  json["packages"] = launch.resources.packages;
  json["python"] = launch.resources.python;
  const ServiceAddresses& service = launch.resources.service;
  json["storage_emulator_host"] = service.storage_emulator_host;
  json["grpc_endpoint"] = service.grpc_endpoint;
  json["attempt_token"] = service.attempt_token;
  json["trace_parent"] = service.trace_parent;
  json["local_paths"] = launch.resources.local_paths;
  json["notes"] = launch.resources.notes;
  json["package_dir"] = launch.package_dir;
  json["containers"] = ToJson(launch.containers);
  json["failure"] = launch.failure;
  json["job"] = launch.spec_json;
  return ReplaceFile(LaunchFilePath(attempt_dir), DumpJson(json) + "\n",
                     durability);
}

absl::StatusOr<LaunchFile> ReadLaunchFile(const std::string& attempt_dir) {
  const std::string path = LaunchFilePath(attempt_dir);
  VERNIER_ASSIGN_OR_RETURN(const std::string text, ReadSmallFile(path));
  absl::StatusOr<Json> json = ParseJson(text);
  if (!json.ok()) {
    return absl::DataLossError(path + ": " +
                               std::string(json.status().message()));
  }
  try {
    if (json->at("version").get<int>() != kVersion) {
      return absl::DataLossError(path + " is of another version");
    }
    return LaunchFileFrom(*json);
  } catch (const Json::exception& error) {
    return absl::DataLossError(path + ": " + error.what());
  }
}

absl::StatusOr<JobSpec> JobOf(const LaunchFile& launch) {
  VERNIER_ASSIGN_OR_RETURN(ParsedJob job, ParseStoredJob(launch.spec_json));
  job.spec.training_input.job_dir = launch.resources.job_dir;
  return std::move(job.spec);
}

}  // namespace vernier
