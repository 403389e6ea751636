#include "cluster/gang/trial_command_line.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cluster/attempt/exit_record.h"
#include "cluster/attempt/launch_file.h"
#include "cluster/attempt/trial_command.h"
#include "cluster/containers/container_record.h"
#include "cluster/containers/engine_command.h"
#include "cluster/gang/container_setup.h"
#include "cluster/gang/gang_setup.h"
#include "cluster/gang/work_folder.h"
#include "cluster/program_search.h"
#include "cluster/trial_environment.h"
#include "cluster/trial_parameters.h"
#include "study/config/environment_file.h"

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

// Left out, so that a manual run writes into folders of its own.
constexpr const char* kFoldersOfLoggers[] = {"WANDB_DIR", "TRACKIO_DIR"};

// The files of these are replaced, since metrics of a manual run must not
// become those of the attempt.
constexpr char kMetricFile[] = "CLOUD_ML_HP_METRIC_FILE";
constexpr char kMetricLines[] = "VERNIER_METRICS";

GangContext ContextOf(const LaunchFile& launch, const JobSpec& spec,
                      const std::string& attempt_dir,
                      const char* const* service_environment) {
  GangContext context =
      LaunchContext(attempt_dir, launch, spec, service_environment);
  for (const ReplicaId& replica : GangReplicas(spec.training_input)) {
    context.addresses.push_back({replica, "127.0.0.1", 0});
  }
  auto devices = SplitDevices(spec, launch.devices);
  if (devices.ok()) context.devices = *std::move(devices);
  return context;
}

// Removes what belongs to a running attempt, and the secrets, which the shell
// reads from their file.
Environment OfNoAttempt(Environment environment, const JobSpec& spec) {
  for (const char* name : kOfARunningAttempt) environment.erase(name);
  for (const char* name : kFoldersOfLoggers) {
    if (spec.vernier.environment.count(name) == 0) environment.erase(name);
  }
  for (const char* name : {kMetricFile, kMetricLines}) {
    const auto metrics = environment.find(name);
    if (metrics != environment.end()) metrics->second = "/dev/stdout";
  }
  for (const std::string& name : spec.vernier.secret_names) {
    environment.erase(name);
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
  std::string note;
  const std::size_t replicas = GangReplicas(spec.training_input).size();
  if (replicas > 1) {
    note = absl::StrCat("the job has ", replicas,
                        " replicas; this line runs the master alone, without "
                        "TF_CONFIG and its like");
  }
  const bool has_image =
      !ImageOf(spec.training_input, ReplicaRole::kMaster).empty();
  if (has_image && !launch.devices.empty()) {
    absl::StrAppend(&note, note.empty() ? "" : "; ",
                    "the container gets the GPUs of the attempt, which other "
                    "trials may have by now");
  }
  return note;
}

void AppendWords(const std::vector<std::string>& words, std::string& line) {
  for (const std::string& word : words) {
    absl::StrAppend(&line, line.empty() ? "" : " ", ShellQuoted(word));
  }
}

std::vector<std::string> Assignments(const Environment& environment) {
  std::vector<std::string> words;
  for (const auto& [name, value] : environment) {
    words.push_back(absl::StrCat(name, "=", value));
  }
  return words;
}

absl::StatusOr<std::string> ProcessLine(const LaunchFile& launch,
                                        const JobSpec& spec,
                                        const GangContext& context) {
  Environment environment = OfNoAttempt(ReplicaEnvironment(context, 0), spec);
  VERNIER_ASSIGN_OR_RETURN(
      std::vector<std::string> words,
      ReplicaArguments(
          spec, launch.parameters, launch.attempt.trial, ReplicaRole::kMaster,
          launch.resources.packages.empty() ? launch.resources.python
                                            : "python3",
          launch.resources.local_paths));
  // If the program does not exist any more, the shell reports it.
  const auto program =
      FindProgram(words.front(), environment["PATH"], launch.work_dir);
  if (program.ok()) words.front() = *program;

  std::string line = absl::StrCat("(cd ", ShellQuoted(launch.work_dir));
  if (!spec.vernier.secrets_file.empty()) {
    absl::StrAppend(&line, " && . ", ShellQuoted(spec.vernier.secrets_file));
  }
  absl::StrAppend(&line, " && exec env -i");
  for (const std::string& name : spec.vernier.secret_names) {
    absl::StrAppend(&line, " \"", name, "=$", name, "\"");
  }
  AppendWords(Assignments(environment), line);
  AppendWords(words, line);
  // A program that opens its metric file again would truncate a file to which
  // standard output is redirected; a pipe cannot be truncated.
  return line + ") | cat";
}

// The shell commands that pass the job's secrets to an engine without a value
// on a command line.
struct SecretWords {
  std::string before;   // Ends with " && ", unless it is empty.
  std::string options;  // Begins with a blank, likewise.
  std::string after;
};

SecretWords SecretsFor(const JobSpec& spec) {
  SecretWords words;
  if (spec.vernier.secret_names.empty()) return words;
  words.before =
      absl::StrCat(". ", ShellQuoted(spec.vernier.secrets_file), " && ");
  std::string exported;
  std::string printed;
  for (const std::string& name : spec.vernier.secret_names) {
    if (EnginesRead(name)) {
      // In the engine's own environment it would be a setting of the engine.
      absl::StrAppend(&printed, "printf '%s\\n' \"", name, "=$", name, "\"; ");
    } else {
      absl::StrAppend(&exported, " ", name);
      absl::StrAppend(&words.options, " --env ", name);
    }
  }
  if (!exported.empty()) {
    absl::StrAppend(&words.before, "export", exported, " && ");
  }
  if (!printed.empty()) {
    absl::StrAppend(&words.before, "secrets=$(mktemp) && { ", printed,
                    "} > \"$secrets\" && ");
    words.options += " --env-file \"$secrets\"";
    words.after = "; status=$?; rm -f \"$secrets\"; exit $status";
  }
  return words;
}

absl::StatusOr<std::string> ContainerLine(const LaunchFile& launch,
                                          const JobSpec& spec,
                                          const GangContext& context) {
  const auto record = ReadContainerRecord(context.run_dir);
  if (absl::IsNotFound(record.status())) {
    return absl::NotFoundError("none of its containers was made");
  }
  VERNIER_RETURN_IF_ERROR(record.status());
  VERNIER_ASSIGN_OR_RETURN(ContainerSpec container,
                           DescribeContainer(launch, context, 0, ""));
  // A tag may have moved since, so the id shows which image it was.
  const auto name =
      std::find(record->names.begin(), record->names.end(), container.name);
  const auto place = static_cast<std::size_t>(name - record->names.begin());
  container.image = place < record->images.size() ? record->images[place]
                                                  : container.image_title;
  const RunByHand run = RunWords(record->engine, container);
  const SecretWords secrets = SecretsFor(spec);
  std::string line;
  AppendWords(run.verb, line);
  // Docker fails if it is asked for a terminal where there is none.
  line += " $(test -t 0 && test -t 1 && echo -it)";
  AppendWords(run.options, line);
  for (const std::string& word :
       Assignments(OfNoAttempt(container.environment, spec))) {
    AppendWords({"--env", word}, line);
  }
  line += secrets.options;
  AppendWords(run.program, line);
  return absl::StrCat("(", secrets.before, line, secrets.after, ")");
}

}  // namespace

absl::StatusOr<TrialCommandLine> CommandLineOf(
    const std::string& attempt_dir, const char* const* service_environment) {
  VERNIER_ASSIGN_OR_RETURN(const LaunchFile launch,
                           ReadLaunchFile(attempt_dir));
  if (!launch.failure.empty()) {
    return absl::InvalidArgumentError(launch.failure);
  }
  VERNIER_ASSIGN_OR_RETURN(const JobSpec spec, JobOf(launch));
  // A program that still runs may have removed some of it on purpose. Code that
  // is gone is mentioned in the note.
  if (ReadExitRecord(attempt_dir).ok()) {
    RestoreWorkFolder(launch.work_dir, launch.code_dir).IgnoreError();
  }
  const GangContext context =
      ContextOf(launch, spec, attempt_dir, service_environment);
  TrialCommandLine command;
  const bool has_image =
      !ImageOf(spec.training_input, ReplicaRole::kMaster).empty();
  VERNIER_ASSIGN_OR_RETURN(command.line,
                           has_image ? ContainerLine(launch, spec, context)
                                     : ProcessLine(launch, spec, context));
  command.note = NoteOn(launch, spec);
  return command;
}

}  // namespace vernier
