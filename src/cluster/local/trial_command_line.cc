#include "cluster/local/trial_command_line.h"

#include <array>
#include <filesystem>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cluster/local/launch_file.h"
#include "cluster/local/trial_command.h"
#include "cluster/program_search.h"
#include "cluster/trial_environment.h"
#include "study/config/environment_file.h"
#include "study/job_file/job_parser.h"

namespace vernier {
namespace {

// Variables that hold only while the attempt runs. VERNIER_ATTEMPT is among
// them, because a sweep kills every process that has it.
constexpr std::array kOfARunningAttempt = {"TF_CONFIG",
                                           "CLUSTER_SPEC",
                                           "MASTER_ADDR",
                                           "MASTER_PORT",
                                           "RANK",
                                           "WORLD_SIZE",
                                           "LOCAL_RANK",
                                           "CUDA_VISIBLE_DEVICES",
                                           "CLOUD_ML_JOB",
                                           "CUDA_DEVICE_ORDER",
                                           "VERNIER_ATTEMPT",
                                           "VERNIER_ATTEMPT_NUMBER",
                                           "STORAGE_EMULATOR_HOST",
                                           "VERNIER_REPORT_URL",
                                           "VERNIER_GRPC_ENDPOINT",
                                           "VERNIER_ATTEMPT_TOKEN"};

// Metrics of a manual run must not become those of the attempt.
constexpr char kMetricFile[] = "CLOUD_ML_HP_METRIC_FILE";
constexpr char kMetricLines[] = "VERNIER_METRICS";

Environment OwnEnvironment(const LaunchFile& launch, const JobSpec& spec,
                           const std::string& attempt_dir,
                           const char* const* service_environment) {
  GangContext context;
  context.spec = &spec;
  context.attempt = launch.attempt;
  context.nonce = launch.nonce;
  context.project = launch.project;
  context.restart_count = launch.restart_count;
  context.run_dir = attempt_dir;
  context.inherited =
      ProgramsInherit(spec, launch.work_dir, service_environment);
  if (!launch.resources.packages.empty()) {
    context.package_environment = PackageEnvironmentDir(launch.package_dir);
  }
  for (const ReplicaId& replica : GangReplicas(spec.training_input)) {
    context.addresses.push_back({replica, "127.0.0.1", 0});
  }
  Environment environment = ReplicaEnvironment(context, 0);
  for (const char* name : kOfARunningAttempt) environment.erase(name);
  for (const char* name : {kMetricFile, kMetricLines}) {
    const auto metrics = environment.find(name);
    if (metrics != environment.end()) metrics->second = "/dev/stdout";
  }
  return environment;
}

std::string NoteOn(const LaunchFile& launch, const JobSpec& spec) {
  std::error_code ignored;
  if (!launch.code_dir.empty() &&
      !std::filesystem::exists(launch.code_dir, ignored)) {
    return "the code that this attempt ran is of an earlier version of the "
           "job and was removed, so that this line will not find it";
  }
  const std::size_t replicas = GangReplicas(spec.training_input).size();
  if (replicas == 1) return "";
  return absl::StrCat("the job has ", replicas,
                      " replicas; this line runs the master alone, without "
                      "TF_CONFIG and its like");
}

}  // namespace

absl::StatusOr<TrialCommandLine> CommandLineOf(
    const std::string& attempt_dir, const char* const* service_environment) {
  VERNIER_ASSIGN_OR_RETURN(const LaunchFile launch,
                           ReadLaunchFile(attempt_dir));
  if (!launch.failure.empty()) {
    return absl::InvalidArgumentError(launch.failure);
  }
  VERNIER_ASSIGN_OR_RETURN(ParsedJob job, ParseJob(launch.spec_json, {}));
  JobSpec& spec = job.spec;
  spec.training_input.job_dir = launch.resources.job_dir;
  Environment environment =
      OwnEnvironment(launch, spec, attempt_dir, service_environment);
  const bool has_packages = !launch.resources.packages.empty();
  VERNIER_ASSIGN_OR_RETURN(
      std::vector<std::string> words,
      ReplicaArguments(spec, launch.parameters, launch.attempt.trial,
                       ReplicaRole::kMaster,
                       has_packages ? "python3" : launch.resources.python,
                       launch.resources.local_paths));
  // If the program does not exist any more, the shell reports it.
  const auto program =
      FindProgram(words.front(), environment["PATH"], launch.work_dir);
  if (program.ok()) words.front() = *program;

  TrialCommandLine command;
  command.line = absl::StrCat("(cd ", ShellQuoted(launch.work_dir));
  if (!spec.vernier.secrets_file.empty()) {
    absl::StrAppend(&command.line, " && . ",
                    ShellQuoted(spec.vernier.secrets_file));
  }
  absl::StrAppend(&command.line, " && exec env -i");
  for (const std::string& name : spec.vernier.secret_names) {
    environment.erase(name);
    absl::StrAppend(&command.line, " \"", name, "=$", name, "\"");
  }
  for (const auto& [name, value] : environment) {
    absl::StrAppend(&command.line, " ",
                    ShellQuoted(absl::StrCat(name, "=", value)));
  }
  for (const std::string& word : words) {
    absl::StrAppend(&command.line, " ", ShellQuoted(word));
  }
  // A program that opens its metric file again would truncate a file to which
  // standard output is redirected; a pipe cannot be truncated.
  command.line += ") | cat";
  command.note = NoteOn(launch, spec);
  return command;
}

}  // namespace vernier
