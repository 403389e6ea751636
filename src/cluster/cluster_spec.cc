#include "cluster/cluster_spec.h"

#include <cctype>
#include <cstdio>
#include <utility>

#include "base/json.h"
#include "base/status_macros.h"
#include "cluster/trial_parameters.h"

namespace vernier {
namespace {

std::string TaskName(ReplicaRole role, const std::string& primary_name) {
  return role == ReplicaRole::kMaster ? primary_name
                                      : std::string(ToString(role));
}

Json ClusterOf(const ClusterDescription& cluster,
               const std::string& primary_name) {
  Json roles = Json::object();
  for (const ReplicaAddress& address : cluster.addresses) {
    if (address.replica.role == ReplicaRole::kEvaluator) continue;
    roles[TaskName(address.replica.role, primary_name)].push_back(
        address.host + ":" + std::to_string(address.port));
  }
  return roles;
}

std::string Describe(const ClusterDescription& cluster,
                     const std::string& primary_name, ReplicaId replica) {
  Json task = Json::object();
  task["type"] = TaskName(replica.role, primary_name);
  task["index"] = replica.index;
  if (cluster.trial) task["trial"] = std::to_string(ToInt(*cluster.trial));
  task["cloud"] = cluster.cloud_id;

  Json all = Json::object();
  all["cluster"] = ClusterOf(cluster, primary_name);
  all["environment"] = "cloud";
  absl::StatusOr<Json> job = ParseJson(cluster.job_json);
  all["job"] = job.ok() ? *std::move(job) : Json::object();
  all["task"] = std::move(task);
  return DumpJson(all);
}

std::string SnakeCase(const std::string& name) {
  std::string snake;
  for (char c : name) {
    if (std::isupper(static_cast<unsigned char>(c)) != 0) {
      if (!snake.empty()) snake += '_';
      c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    snake += c;
  }
  return snake;
}

// Renames the keys of a training input. Every key, at any depth, is a field
// name; names that the user chose are values. The job parser bounds the depth.
Json WithSnakeCaseKeys(const Json& json) {
  if (json.is_array()) {
    Json array = Json::array();
    for (const Json& item : json) array.push_back(WithSnakeCaseKeys(item));
    return array;
  }
  if (!json.is_object()) return json;
  Json object = Json::object();
  for (const auto& [key, value] : json.items()) {
    object[SnakeCase(key)] = WithSnakeCaseKeys(value);
  }
  return object;
}

// Returns the field to leave out if a description is too long. These two come
// first, because programs have their values on the command line, too.
std::string FieldToLeaveOut(const Json& description) {
  for (const char* known : {"hyperparameters", "args"}) {
    if (description.contains(known)) return known;
  }
  std::string largest;
  std::size_t most = 0;
  for (const auto& [key, value] : description.items()) {
    const std::size_t size = DumpJson(value).size();
    if (size < most) continue;
    most = size;
    largest = key;
  }
  return largest;
}

bool IsBefore21(const std::string& runtime_version) {
  int major = 0;
  int minor = 0;
  std::sscanf(runtime_version.c_str(), "%d.%d", &major, &minor);
  return major < 2 || (major == 2 && minor < 1);
}

}  // namespace

std::string PrimaryTaskName(const JobSpec& spec) {
  const TrainingInput& input = spec.training_input;
  const bool is_module = input.master.config.image_uri.empty() &&
                         !input.python_module.empty() &&
                         spec.vernier.command.empty() &&
                         input.master.config.container_command.empty();
  if (is_module && !input.runtime_version.empty()) {
    return IsBefore21(input.runtime_version) ? "master" : "chief";
  }
  return input.use_chief_in_tf_config ? "chief" : "master";
}

std::string TfConfig(const ClusterDescription& cluster,
                     const std::string& primary_name, ReplicaId replica) {
  return Describe(cluster, primary_name, replica);
}

std::string ClusterSpec(const ClusterDescription& cluster, ReplicaId replica) {
  return Describe(cluster, "master", replica);
}

absl::StatusOr<JobDescription> TrainingInputForTrial(
    const std::string& spec_json) {
  VERNIER_ASSIGN_OR_RETURN(const Json job, ParseJson(spec_json));
  if (!job.is_object()) {
    return absl::InvalidArgumentError("the job's JSON is not an object");
  }
  JobDescription description{"{}", {}};
  const auto input = job.find("trainingInput");
  if (input == job.end() || !input->is_object()) return description;
  Json snake = WithSnakeCaseKeys(*input);
  description.json = DumpJson(snake);
  while (description.json.size() > kLongestVariable) {
    description.left_out.push_back(FieldToLeaveOut(snake));
    snake.erase(description.left_out.back());
    description.json = DumpJson(snake);
  }
  return description;
}

}  // namespace vernier
