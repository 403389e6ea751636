#include "cluster/trial_environment.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/process_environment.h"
#include "cluster/trackio_environment.h"
#include "cluster/trial_parameters.h"
#include "cluster/wandb_environment.h"
#include "study/devices/device_lease.h"

namespace vernier {
namespace {

constexpr std::array kAllowedNames = {
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TMPDIR",
    "LD_LIBRARY_PATH",
    "PYTHONPATH",
    "PYTHONUNBUFFERED",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "CONDA_DEFAULT_ENV",
    "CUDA_HOME",
    "CUDA_PATH",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "XDG_CACHE_HOME",
    "TORCH_HOME",
    "HF_HOME",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "CLOUD_ML_PROJECT_ID",
};
constexpr std::array kAllowedPrefixes = {"LC_", "NCCL_", "GLOO_"};

bool IsTuning(const JobSpec& spec) {
  return spec.training_input.hyperparameters.has_value();
}

void AddIdentity(const GangContext& context, Environment& environment) {
  const JobSpec& spec = *context.spec;
  const std::string trial = std::to_string(ToInt(context.attempt.trial));
  environment["VERNIER_JOB"] = spec.job_id;
  environment["VERNIER_TRIAL"] = trial;
  environment["VERNIER_ATTEMPT"] = context.nonce;
  environment["VERNIER_ATTEMPT_NUMBER"] =
      std::to_string(context.attempt.number);
  environment["VERNIER_RESTART_COUNT"] = std::to_string(context.restart_count);
  if (context.repeat > 0) {
    environment["VERNIER_REPEAT"] = std::to_string(context.repeat);
  }
  environment["CLOUD_ML_JOB_ID"] = spec.job_id;
  environment["CLOUD_ML_JOB"] = context.job_json;
  // For the default project, the variable of the service's environment stays.
  if (context.project != kDefaultProject) {
    environment["CLOUD_ML_PROJECT_ID"] = context.project;
  }
  if (!spec.training_input.region.empty()) {
    environment["CLOUD_ML_REGION"] = spec.training_input.region;
  }
  if (IsTuning(spec)) environment["CLOUD_ML_TRIAL_ID"] = trial;
}

// Adds the parameters with their types, for programs that do not parse flags.
// The job's own variables of these names are removed, because they would be
// taken for the trial's.
void AddParameters(const GangContext& context, Environment& environment) {
  environment.erase("VERNIER_PARAMETERS");
  environment.erase("VERNIER_PARAMETERS_FILE");
  if (context.parameters_json.empty()) return;
  if (context.parameters_json.size() <= kLongestVariable) {
    environment["VERNIER_PARAMETERS"] = context.parameters_json;
  } else {
    environment["VERNIER_PARAMETERS_FILE"] =
        TrialParametersFile(MetricDirectory(context.run_dir));
  }
}

void AddMetricFile(const GangContext& context, ReplicaId replica,
                   Environment& environment) {
  const auto& tuning = context.spec->training_input.hyperparameters;
  if (!tuning) return;
  environment["CLOUD_ML_HP_METRIC_TAG"] = tuning->metric_tag;
  environment["CLOUD_ML_HP_METRIC_FILE"] =
      MetricDirectory(context.run_dir) + "/" + MetricFileName(replica);
}

void AddMetricLines(const GangContext& context, ReplicaId replica,
                    Environment& environment) {
  environment["VERNIER_METRICS"] =
      MetricDirectory(context.run_dir) + "/" + MetricLinesFileName(replica);
}

void AddClusterSpec(const GangContext& context, ReplicaId replica,
                    Environment& environment) {
  ClusterDescription cluster;
  cluster.addresses = context.addresses;
  cluster.job_json = context.job_json;
  cluster.cloud_id = "w" + context.nonce.substr(0, 16) + "-ml";
  if (IsTuning(*context.spec)) cluster.trial = context.attempt.trial;
  environment["TF_CONFIG"] =
      TfConfig(cluster, PrimaryTaskName(*context.spec), replica);
  environment["CLUSTER_SPEC"] = ClusterSpec(cluster, replica);
}

// Master and workers form the process group. Parameter servers and evaluators
// are outside it, so they get no RANK, which programs test for.
void AddProcessGroup(const GangContext& context, ReplicaId replica,
                     Environment& environment) {
  const bool is_master = replica.role == ReplicaRole::kMaster;
  if (!is_master && replica.role != ReplicaRole::kWorker) return;
  const int workers = context.spec->training_input.worker.count;
  environment["MASTER_ADDR"] = context.addresses.front().host;
  environment["MASTER_PORT"] = std::to_string(context.master_port);
  environment["RANK"] = std::to_string(is_master ? 0 : replica.index + 1);
  environment["WORLD_SIZE"] = std::to_string(workers + 1);
  // Each replica sees only its own devices, so its first one has the number 0.
  environment["LOCAL_RANK"] = "0";
}

// Limits the GPU memory of a program that shares its GPU: TensorFlow and JAX
// would otherwise take all of it at their start. With NVIDIA's MPS the program
// cannot take more than its share. The job's own values of these variables are
// kept.
void AddShare(std::int64_t memory_mb, Environment& environment) {
  const std::string megabytes = std::to_string(memory_mb);
  environment["VERNIER_GPU_MEMORY_MB"] = megabytes;
  environment.emplace("TF_FORCE_GPU_ALLOW_GROWTH", "true");
  environment.emplace("XLA_PYTHON_CLIENT_PREALLOCATE", "false");
  environment.emplace("CUDA_MPS_PINNED_DEVICE_MEM_LIMIT",
                      "0=" + megabytes + "M");
}

void AddDevices(const GangContext& context, std::size_t position,
                Environment& environment) {
  if (!context.machine_has_gpus) return;
  std::string visible;
  std::int64_t memory_mb = 0;
  if (position < context.devices.size()) {
    for (const std::string& text : context.devices[position]) {
      const DeviceLease lease = ParseDeviceLease(text);
      if (!visible.empty()) visible += ',';
      visible += lease.device;
      memory_mb = lease.memory_mb;
    }
  }
  if (memory_mb > 0) AddShare(memory_mb, environment);
  environment["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID";
  environment["CUDA_VISIBLE_DEVICES"] = visible;
}

void AddPackages(const GangContext& context, Environment& environment) {
  const std::string& folder = context.package_environment;
  if (folder.empty()) return;
  environment["VIRTUAL_ENV"] = folder;
  environment["PATH"] = folder + "/bin:" + environment["PATH"];
}

void AddOutputDirectories(const GangContext& context,
                          Environment& environment) {
  std::string base = TrialJobDir(*context.spec, context.attempt.trial);
  environment["VERNIER_OUTPUT_DIR"] =
      base.empty() ? WorkDirectory(context.run_dir) : base;
  if (base.empty()) return;
  if (base.back() != '/') base += '/';
  environment["AIP_MODEL_DIR"] = base + "model/";
  environment["AIP_CHECKPOINT_DIR"] = base + "checkpoints/";
  environment["AIP_TENSORBOARD_LOG_DIR"] = base + "logs/";
}

}  // namespace

bool ProgramsMayInherit(const std::string& name) {
  if (std::find(kAllowedNames.begin(), kAllowedNames.end(), name) !=
      kAllowedNames.end()) {
    return true;
  }
  return std::any_of(
      kAllowedPrefixes.begin(), kAllowedPrefixes.end(),
      [&](std::string_view prefix) { return name.rfind(prefix, 0) == 0; });
}

Environment AllowedEnvironment(const char* const* environ) {
  Environment allowed;
  for (auto& [name, value] : ParseEnvironment(environ)) {
    if (ProgramsMayInherit(name)) allowed[name] = std::move(value);
  }
  return allowed;
}

Environment InheritedEnvironment(const JobSpec& spec,
                                 const char* const* environ) {
  const auto& caller = spec.vernier.caller_environment;
  Environment inherited = caller.empty() ? AllowedEnvironment(environ) : caller;
  inherited.erase("CUDA_VISIBLE_DEVICES");
  return inherited;
}

std::string FoldersInCopy(const std::string& folders, const std::string& source,
                          const std::string& copy) {
  namespace fs = std::filesystem;
  std::vector<std::string> list = absl::StrSplit(folders, ':');
  for (std::string& folder : list) {
    if (folder.empty() || folder.front() != '/') continue;
    const fs::path inside =
        fs::path(folder).lexically_normal().lexically_relative(source);
    if (inside.empty() || *inside.begin() == "..") continue;
    const fs::path copied = (fs::path(copy) / inside).lexically_normal();
    std::error_code error;
    // A folder that was not copied, e.g. an environment, is used at its
    // original place.
    if (!fs::exists(copied, error)) continue;
    folder = copied.has_filename() ? copied : copied.parent_path();
  }
  return absl::StrJoin(list, ":");
}

Environment ProgramsInherit(const JobSpec& spec, const std::string& work_dir,
                            const char* const* environ) {
  Environment inherited = InheritedEnvironment(spec, environ);
  const std::string& source = spec.vernier.code_dir;
  const auto python_path = inherited.find("PYTHONPATH");
  if (python_path != inherited.end() && !source.empty()) {
    python_path->second = FoldersInCopy(python_path->second, source, work_dir);
  }
  return inherited;
}

std::string PackageEnvironmentDir(const std::string& dir) {
  return dir + "/environment";
}

Environment ReplicaEnvironment(const GangContext& context,
                               std::size_t position) {
  const ReplicaId replica = context.addresses[position].replica;
  Environment environment = context.inherited;
  environment.emplace("PATH", "/usr/local/bin:/usr/bin:/bin");
  // Otherwise Python would lose its buffered last lines when a program crashes.
  environment.emplace("PYTHONUNBUFFERED", "1");
  for (const auto& [name, value] : context.spec->vernier.environment) {
    environment[name] = value;
  }
  for (const auto& [name, value] : context.secrets) environment[name] = value;
  AddIdentity(context, environment);
  AddParameters(context, environment);
  AddMetricFile(context, replica, environment);
  AddMetricLines(context, replica, environment);
  AddClusterSpec(context, replica, environment);
  AddProcessGroup(context, replica, environment);
  AddDevices(context, position, environment);
  AddOutputDirectories(context, environment);
  AddWandb(*context.spec,
           {MetricDirectory(context.run_dir), WorkDirectory(context.run_dir),
            TrialJobDir(*context.spec, context.attempt.trial)},
           replica, environment);
  AddTrackio(*context.spec, MetricDirectory(context.run_dir), replica,
             environment);
  AddPackages(context, environment);
  if (!context.storage_emulator_host.empty()) {
    environment["STORAGE_EMULATOR_HOST"] = context.storage_emulator_host;
    // This is the same address, which contains the attempt's token.
    environment["VERNIER_REPORT_URL"] =
        context.storage_emulator_host + "/v1/report";
  }
  if (!context.grpc_endpoint.empty()) {
    environment["VERNIER_GRPC_ENDPOINT"] = context.grpc_endpoint;
    environment["VERNIER_ATTEMPT_TOKEN"] = context.attempt_token;
  }
  if (!context.trace_parent.empty()) {
    environment["TRACEPARENT"] = context.trace_parent;
  }
  return environment;
}

std::set<std::string> ServiceVariables(const JobSpec& spec) {
  JobSpec bare = spec;
  bare.vernier.environment.clear();
  GangContext context;
  context.spec = &bare;
  context.job_json = "{}";
  if (IsTuning(spec)) context.parameters_json = "{}";
  context.addresses = {{{ReplicaRole::kMaster, 0}, "", 0}};
  std::set<std::string> names;
  for (const auto& [name, value] : ReplicaEnvironment(context, 0)) {
    names.insert(name);
  }
  // These are defaults, which the job may change.
  names.erase("PATH");
  names.erase("PYTHONUNBUFFERED");
  for (const std::string& name : WandbVariables()) names.erase(name);
  for (const std::string& name : TrackioVariables()) names.erase(name);
  return names;
}

absl::StatusOr<std::vector<std::vector<std::string>>> SplitDevices(
    const JobSpec& spec, const std::vector<std::string>& devices) {
  const TrainingInput& input = spec.training_input;
  const std::vector<ReplicaId> replicas = GangReplicas(input);
  std::vector<std::vector<std::string>> split(replicas.size());
  if (devices.empty()) return split;
  std::size_t next = 0;
  for (std::size_t i = 0; i < replicas.size(); ++i) {
    const int needed = GpusPerReplica(spec, RoleOf(input, replicas[i].role));
    for (int k = 0; k < needed; ++k, ++next) {
      if (next < devices.size()) split[i].push_back(devices[next]);
    }
  }
  if (next != devices.size()) {
    return absl::InvalidArgumentError("the gang needs " + std::to_string(next) +
                                      " GPUs and was given " +
                                      std::to_string(devices.size()));
  }
  return split;
}

std::string WorkDirectory(const std::string& run_dir) {
  return run_dir + "/work";
}

std::string MetricDirectory(const std::string& run_dir) {
  return run_dir + "/metrics";
}

std::string MetricFileName(ReplicaId replica) {
  return ReplicaName(replica) + ".metrics";
}

std::string MetricLinesFileName(ReplicaId replica) {
  return ReplicaName(replica) + ".jsonl";
}

std::string TrialJobDir(const JobSpec& spec, TrialId trial) {
  std::string dir = spec.training_input.job_dir;
  if (dir.empty() || !IsTuning(spec)) return dir;
  if (dir.back() != '/') dir += '/';
  return dir + std::to_string(ToInt(trial));
}

}  // namespace vernier
