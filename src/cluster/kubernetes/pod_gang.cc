#include "cluster/kubernetes/pod_gang.h"

#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/status_macros.h"
#include "buckets/bucket_name.h"
#include "cluster/attempt/trial_command.h"
#include "cluster/containers/container_environment.h"
#include "cluster/gang/gang_setup.h"
#include "cluster/kubernetes/object_names.h"
#include "cluster/trackio_environment.h"
#include "cluster/trial_parameters.h"
#include "cluster/wandb_environment.h"

namespace vernier {
namespace {

// Every pod has its own network, so the same ports are free in all of them.
constexpr int kReplicaPort = 2222;
constexpr int kMasterPort = 2223;
constexpr std::chrono::seconds kDeadlineMargin{120};

// These variables contain the attempt's token.
constexpr const char* kSecretVariables[] = {
    "STORAGE_EMULATOR_HOST", "VERNIER_REPORT_URL", "VERNIER_GRPC_ENDPOINT",
    "VERNIER_ATTEMPT_TOKEN"};
// These variables name files on the service's disk.
constexpr const char* kFileVariables[] = {"VERNIER_METRICS",
                                          "CLOUD_ML_HP_METRIC_FILE"};

bool IsBelow(const std::string& path, const std::string& folder) {
  return path == folder || path.starts_with(folder + "/");
}

// Checks that folders of this machine that the job needs are mounted in the
// pods.
absl::Status CheckFolders(const LaunchFile& launch, const JobSpec& spec,
                          const KubernetesSettings& settings) {
  if (!launch.resources.packages.empty()) {
    return absl::InvalidArgumentError(
        "a job on Kubernetes cannot have trainingInput.packageUris: build an "
        "image that has the packages");
  }
  const bool has_data = !settings.data_claim.empty();
  if (!launch.code_dir.empty() && !has_data) {
    return absl::InvalidArgumentError(
        "a job on Kubernetes can have a vernier.codeDir only if the service is "
        "told --kubernetes-data-claim: build an image that has the program");
  }
  const std::string& job_dir = spec.training_input.job_dir;
  if (!job_dir.starts_with('/')) return absl::OkStatus();
  const auto& volumes = spec.vernier.kubernetes.volumes;
  const bool is_seen =
      (has_data && IsBelow(job_dir, settings.data_dir)) ||
      std::any_of(volumes.begin(), volumes.end(), [&](const auto& volume) {
        return IsBelow(job_dir, volume.mount_path);
      });
  if (is_seen) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "the pods do not see trainingInput.jobDir ", job_dir,
      ": mount a volume there with vernier.kubernetes.volumes, or give a "
      "gs:// folder"));
}

absl::StatusOr<PodRole> PlanRole(const LaunchFile& launch, const JobSpec& spec,
                                 const KubernetesSettings& settings,
                                 ReplicaRole role) {
  PodRole plan;
  plan.role = role;
  plan.image = ImageOf(spec.training_input, role);
  if (plan.image.empty()) plan.image = settings.image;
  if (plan.image.empty()) {
    return absl::InvalidArgumentError(
        "a job on Kubernetes needs an image: give "
        "trainingInput.masterConfig.imageUri, or tell the service "
        "--kubernetes-image");
  }
  const RoleSpec& role_spec = RoleOf(spec.training_input, role);
  const std::string& accelerator = role_spec.config.accelerator_type;
  if (accelerator.starts_with("TPU")) {
    return absl::InvalidArgumentError(
        absl::StrCat("a job on Kubernetes cannot have a TPU: ", accelerator));
  }
  plan.gpus = GpusPerReplica(spec, role_spec);
  const auto node = settings.gpu_nodes.find(accelerator);
  if (plan.gpus > 0 && node != settings.gpu_nodes.end()) {
    plan.node_selector.insert(node->second);
  }
  // Buckets are folders on the service's disk.
  const std::map<std::string, std::string> no_paths;
  VERNIER_ASSIGN_OR_RETURN(
      ReplicaCommand command,
      CommandOfReplica(
          spec, launch.parameters, launch.attempt.trial, role, "python3",
          settings.data_claim.empty() ? no_paths
                                      : launch.resources.local_paths));
  plan.command = std::move(command.program);
  plan.arguments = std::move(command.arguments);
  if (!launch.code_dir.empty()) plan.work_dir = launch.work_dir;
  return plan;
}

// Moves the variables that must not be readable in the objects to `secrets`.
void TakeSecrets(const GangContext& context, Environment* environment,
                 Environment* secrets) {
  const auto take = [&](const std::string& name) {
    const auto found = environment->find(name);
    if (found == environment->end()) return;
    (*secrets)[name] = std::move(found->second);
    environment->erase(found);
  };
  for (const char* name : kSecretVariables) take(name);
  for (const auto& [name, value] : context.secrets) take(name);
}

// Long parameters are passed in a file on the service's disk, which pods may
// not see.
absl::Status CheckParametersArrive(const Environment& environment) {
  if (environment.count("VERNIER_PARAMETERS_FILE") == 0) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "the trial's parameters have more than ", kLongestVariable,
      " bytes, and reach a pod only by a file: tell the service "
      "--kubernetes-data-claim, or give the parameters shorter names"));
}

absl::Status AddRoles(const LaunchFile& launch, const JobSpec& spec,
                      const KubernetesSettings& settings,
                      const GangContext& context, PodGang* gang) {
  for (std::size_t i = 0; i < context.addresses.size(); ++i) {
    const ReplicaRole role = context.addresses[i].replica.role;
    if (gang->roles.empty() || gang->roles.back().role != role) {
      VERNIER_ASSIGN_OR_RETURN(PodRole plan,
                               PlanRole(launch, spec, settings, role));
      gang->roles.push_back(std::move(plan));
    }
    Environment environment = ContainerEnvironment(context, i);
    if (settings.data_claim.empty()) {
      for (const char* name : kFileVariables) environment.erase(name);
      std::vector<std::string> of_loggers = WandbVariables();
      for (std::string& name : TrackioVariables()) {
        of_loggers.push_back(std::move(name));
      }
      for (const std::string& name : of_loggers) {
        const bool is_users = spec.vernier.environment.count(name) > 0 ||
                              context.secrets.count(name) > 0;
        if (!is_users) environment.erase(name);
      }
      VERNIER_RETURN_IF_ERROR(CheckParametersArrive(environment));
      if (spec.training_input.job_dir.empty()) {
        environment.erase("VERNIER_OUTPUT_DIR");
      }
    }
    TakeSecrets(context, &environment, &gang->secrets);
    gang->roles.back().environments.push_back(std::move(environment));
  }
  return absl::OkStatus();
}

// Returns the text around a number if `first` and `second` are the same text
// except for that number, which is `offset` in the first one; else nullopt.
// CommonValue checks the second one's number.
std::optional<std::pair<std::string, std::string>> AroundNumber(
    const std::string& first, const std::string& second, int offset) {
  const auto differ =
      std::mismatch(first.begin(), first.end(), second.begin(), second.end());
  const std::string head(first.begin(), differ.first);
  const std::string number = std::to_string(offset);
  if (first.compare(head.size(), number.size(), number) != 0) {
    return std::nullopt;
  }
  return std::pair(head, first.substr(head.size() + number.size()));
}

// Returns the variable's value with `placeholder` in the place of index +
// `offset`; nullopt if the values differ in another way.
std::optional<std::string> CommonValue(
    const std::vector<Environment>& environments, const std::string& name,
    int offset, const std::string& placeholder) {
  const auto around =
      AroundNumber(environments[0].at(name), environments[1].at(name), offset);
  if (!around.has_value()) return std::nullopt;
  const auto& [head, tail] = *around;
  for (std::size_t i = 0; i < environments.size(); ++i) {
    const std::string wanted =
        absl::StrCat(head, static_cast<int>(i) + offset, tail);
    if (environments[i].at(name) != wanted) return std::nullopt;
  }
  return EscapeDollar(head) + placeholder + EscapeDollar(tail);
}

}  // namespace

std::string EscapeDollar(const std::string& text) {
  return absl::StrReplaceAll(text, {{"$", "$$"}});
}

absl::StatusOr<PodGang> PlanPodGang(const LaunchFile& launch,
                                    const JobSpec& spec,
                                    const KubernetesSettings& settings,
                                    const GangIdentity& identity,
                                    const char* const* service_environment) {
  VERNIER_RETURN_IF_ERROR(CheckFolders(launch, spec, settings));
  PodGang gang;
  gang.name = GangName(identity.instance, launch.nonce);
  gang.options = WithDefaults(spec.vernier.kubernetes, settings.defaults);
  gang.name_space = gang.options.name_space.empty() ? identity.name_space
                                                    : gang.options.name_space;
  gang.instance = identity.instance;
  gang.nonce = launch.nonce;
  gang.job = spec.job_id;
  gang.trial = std::to_string(ToInt(launch.attempt.trial));
  gang.kill_grace = spec.vernier.kill_grace;
  if (spec.vernier.trial_time_limit.has_value()) {
    gang.deadline = *spec.vernier.trial_time_limit + kDeadlineMargin;
  }
  gang.time_to_live = settings.time_to_live;
  if (!settings.data_claim.empty()) {
    gang.data_claim = settings.data_claim;
    gang.data_dir = settings.data_dir;
    // Only this user and group can enter the data directory.
    gang.user = ::geteuid();
    gang.group = ::getegid();
  }
  VERNIER_ASSIGN_OR_RETURN(
      GangContext context,
      MakeGangContext(identity.attempt_dir, launch, spec, service_environment));
  context.master_port = kMasterPort;
  context.devices.clear();  // The kubelet gives them.
  for (const ReplicaId& replica : GangReplicas(spec.training_input)) {
    context.addresses.push_back(
        {replica, ReplicaHost(gang.name, replica), kReplicaPort});
  }
  VERNIER_RETURN_IF_ERROR(AddRoles(launch, spec, settings, context, &gang));
  return gang;
}

absl::StatusOr<Environment> CommonEnvironment(
    const std::vector<Environment>& environments, const std::string& index,
    const std::string& rank) {
  Environment common;
  for (const auto& [name, value] : environments.front()) {
    bool is_same = true;
    for (const Environment& other : environments) {
      const auto found = other.find(name);
      if (found == other.end()) {
        return absl::InternalError("only some replicas have " + name);
      }
      is_same = is_same && found->second == value;
    }
    if (is_same) {
      common[name] = EscapeDollar(value);
      continue;
    }
    std::optional<std::string> text = CommonValue(environments, name, 0, index);
    if (!text.has_value()) text = CommonValue(environments, name, 1, rank);
    if (!text.has_value()) {
      return absl::InternalError("replicas differ in " + name);
    }
    common[name] = *std::move(text);
  }
  return common;
}

}  // namespace vernier
