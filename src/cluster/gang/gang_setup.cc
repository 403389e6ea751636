#include "cluster/gang/gang_setup.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "absl/strings/str_join.h"
#include "base/small_file.h"
#include "base/status_macros.h"
#include "cluster/attempt/trial_command.h"
#include "cluster/gang/package_installation.h"
#include "cluster/gang/work_folder.h"
#include "cluster/process/exec_limits.h"
#include "cluster/program_search.h"
#include "cluster/replica_log.h"
#include "cluster/secret_file.h"
#include "cluster/trial_parameters.h"
#include "cluster/wandb_environment.h"

namespace vernier {
namespace {

std::string NotesOf(const LaunchFile& launch, const GangContext& context) {
  std::string notes;
  for (const std::string& note : launch.resources.notes) {
    notes += "vernier: note: " + note + "\n";
  }
  if (!context.left_out.empty()) {
    notes +=
        "vernier: note: CLOUD_ML_JOB, TF_CONFIG and CLUSTER_SPEC are "
        "without the job's " +
        absl::StrJoin(context.left_out, ", ") +
        ", for which a variable has no room; VERNIER_PARAMETERS or the "
        "file VERNIER_PARAMETERS_FILE has the trial's values\n";
  }
  return notes;
}

}  // namespace

absl::Status MakeAttemptFolders(const std::string& attempt_dir,
                                const LaunchFile& launch, const JobSpec& spec) {
  VERNIER_RETURN_IF_ERROR(MakeDirectories(LogDirectory(attempt_dir)));
  VERNIER_RETURN_IF_ERROR(MakeWorkFolder(launch.work_dir, launch.code_dir));
  if (!spec.training_input.hyperparameters) return absl::OkStatus();
  const std::string metrics = MetricDirectory(attempt_dir);
  VERNIER_RETURN_IF_ERROR(MakeDirectories(metrics));
  VERNIER_RETURN_IF_ERROR(
      WriteLongParameters(metrics, spec, launch.parameters));
  return PrepareWandb(metrics, spec, launch.parameters);
}

GangContext LaunchContext(const std::string& attempt_dir,
                          const LaunchFile& launch, const JobSpec& spec,
                          const char* const* environment) {
  GangContext context;
  context.spec = &spec;
  context.attempt = launch.attempt;
  context.nonce = launch.nonce;
  context.project = launch.project;
  context.restart_count = launch.restart_count;
  context.repeat = launch.repeat;
  context.run_dir = attempt_dir;
  context.parameters_json = TrialParametersJson(spec, launch.parameters);
  context.inherited = ProgramsInherit(spec, launch.work_dir, environment);
  if (!launch.resources.packages.empty()) {
    context.package_environment = PackageEnvironmentDir(launch.package_dir);
  }
  return context;
}

absl::StatusOr<GangContext> MakeGangContext(const std::string& attempt_dir,
                                            const LaunchFile& launch,
                                            const JobSpec& spec,
                                            const char* const* environment) {
  GangContext context = LaunchContext(attempt_dir, launch, spec, environment);
  VERNIER_ASSIGN_OR_RETURN(context.secrets,
                           ReadSecretFile(spec.vernier.secrets_file));
  context.machine_has_gpus = launch.machine_has_gpus;
  const ServiceAddresses& service = launch.resources.service;
  context.storage_emulator_host = service.storage_emulator_host;
  context.grpc_endpoint = service.grpc_endpoint;
  context.attempt_token = service.attempt_token;
  context.trace_parent = service.trace_parent;
  VERNIER_ASSIGN_OR_RETURN(JobDescription job,
                           TrainingInputForTrial(launch.spec_json));
  context.job_json = std::move(job.json);
  context.left_out = std::move(job.left_out);
  VERNIER_ASSIGN_OR_RETURN(context.devices, SplitDevices(spec, launch.devices));
  return context;
}

absl::StatusOr<ReplicaProgram> MakeReplicaProgram(const LaunchFile& launch,
                                                  const GangContext& context,
                                                  std::size_t position) {
  ReplicaProgram program;
  program.replica = context.addresses[position].replica;
  program.environment = ReplicaEnvironment(context, position);
  VERNIER_ASSIGN_OR_RETURN(
      program.argv, ReplicaArguments(*context.spec, launch.parameters,
                                     launch.attempt.trial, program.replica.role,
                                     // With an environment, "python3" is found
                                     // there first, by PATH.
                                     context.package_environment.empty()
                                         ? launch.resources.python
                                         : "python3",
                                     launch.resources.local_paths));
  VERNIER_ASSIGN_OR_RETURN(
      program.path, FindProgram(program.argv.front(),
                                program.environment["PATH"], launch.work_dir));
  VERNIER_RETURN_IF_ERROR(CheckExecLimits(program.argv, program.environment));
  program.preface = NotesOf(launch, context);
  return program;
}

absl::Status CouldNotStart(ReplicaId replica, const absl::Status& status) {
  return absl::Status(status.code(), "The replica " + ReplicaTitle(replica) +
                                         " could not be started: " +
                                         std::string(status.message()));
}

absl::StatusOr<GangSetup> SetUpGang(const std::string& attempt_dir,
                                    const LaunchFile& launch,
                                    const JobSpec& spec,
                                    const PreparedContainers& images,
                                    const char* const* service_environment) {
  VERNIER_RETURN_IF_ERROR(MakeAttemptFolders(attempt_dir, launch, spec));
  const std::size_t replicas = GangReplicas(spec.training_input).size();
  // The seed makes gangs that start together search different parts of the
  // range.
  const std::uint64_t seed = std::hash<std::string>()(launch.nonce);
  VERNIER_ASSIGN_OR_RETURN(
      PortReservation ports,
      PortReservation::Reserve(DefaultPortRange(), replicas, seed));
  VERNIER_ASSIGN_OR_RETURN(
      GangContext context,
      MakeGangContext(attempt_dir, launch, spec, service_environment));
  context.master_port = ports.master_port();
  const std::vector<ReplicaId> gang = GangReplicas(spec.training_input);
  for (std::size_t i = 0; i < gang.size(); ++i) {
    context.addresses.push_back({gang[i], "127.0.0.1", ports.ports()[i]});
  }
  const auto about = [&](std::size_t position, const absl::Status& status) {
    return CouldNotStart(context.addresses[position].replica, status);
  };
  GangSetup setup{std::move(ports), {}, nullptr};
  std::vector<std::optional<ContainerSpec>> containers(replicas);
  for (std::size_t i = 0; i < replicas; ++i) {
    if (ImageOf(spec.training_input, context.addresses[i].replica.role)
            .empty()) {
      continue;
    }
    absl::StatusOr<ContainerSpec> container =
        MakeContainer(launch, context, i, images);
    if (!container.ok()) return about(i, container.status());
    containers[i] = *std::move(container);
  }
  if (images.engine) {
    setup.containers = std::make_unique<ReplicaContainers>(
        *images.engine, images.environment, attempt_dir, containers);
  }
  for (std::size_t i = 0; i < replicas; ++i) {
    absl::StatusOr<ReplicaProgram> program =
        containers[i]
            ? setup.containers->StartProgram(i, context.addresses[i].replica)
            : MakeReplicaProgram(launch, context, i);
    if (!program.ok()) return about(i, program.status());
    if (containers[i]) {
      program->preface = NotesOf(launch, context) + program->preface;
    }
    setup.programs.push_back(*std::move(program));
  }
  return setup;
}

}  // namespace vernier
