#include "cluster/gang/container_setup.h"

#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "base/small_file.h"
#include "base/status_macros.h"
#include "buckets/bucket_name.h"
#include "cluster/attempt/launch_phase.h"
#include "cluster/attempt/trial_command.h"
#include "cluster/containers/container_environment.h"
#include "cluster/containers/engine_probe.h"
#include "cluster/containers/machine_limits.h"
#include "cluster/gang/work_folder.h"
#include "study/devices/device_lease.h"

namespace vernier {
namespace {

std::set<std::string> ImagesOf(const TrainingInput& input) {
  std::set<std::string> images;
  for (const ReplicaId& replica : GangReplicas(input)) {
    images.insert(ImageOf(input, replica.role));
  }
  images.erase("");
  return images;
}

// While an object of this class lives, this process does not adopt processes
// that programs leave in the background, and so does not end them with the
// gang: rootless Podman leaves a process that all of a user's containers need.
class LeavingOrphansAlone {
 public:
  LeavingOrphansAlone() { ::prctl(PR_SET_CHILD_SUBREAPER, 0); }
  LeavingOrphansAlone(const LeavingOrphansAlone&) = delete;
  LeavingOrphansAlone& operator=(const LeavingOrphansAlone&) = delete;
  ~LeavingOrphansAlone() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }
};

// Returns the folder of this machine that must be mounted to make `path`, which
// stands for `uri`, usable: that of the whole bucket.
std::string BucketFolder(const std::string& uri, const std::string& path) {
  const auto object = ParseObjectUri(uri);
  if (!object.ok() || object->object.empty()) return path;
  const std::string tail = "/" + object->object;
  return absl::EndsWith(path, tail) ? path.substr(0, path.size() - tail.size())
                                    : path;
}

// Lets replicas of any user write to a folder, since images choose their users.
// Only the service's user can enter the parent folder.
absl::Status OpenToAll(const std::string& folder) {
  VERNIER_RETURN_IF_ERROR(MakeDirectories(folder));
  if (::chmod(folder.c_str(), 0777) != 0) {
    return absl::ErrnoToStatus(errno, folder);
  }
  return absl::OkStatus();
}

// Returns the folders to mount. They have the same paths inside as outside, so
// that arguments and variables are valid in both.
std::vector<std::string> FoldersOf(const LaunchFile& launch,
                                   const GangContext& context) {
  // The working directory outlives the container, with all that the program
  // leaves in it. It may have links into the code.
  std::set<std::string> folders = {launch.work_dir};
  if (!launch.code_dir.empty()) folders.insert(launch.code_dir);
  const std::string& job_dir = context.spec->training_input.job_dir;
  if (!job_dir.empty() && job_dir.front() == '/') folders.insert(job_dir);
  for (const auto& [uri, path] : launch.resources.local_paths) {
    folders.insert(BucketFolder(uri, path));
  }
  // The order of a set puts a folder before those inside it.
  return std::vector<std::string>(folders.begin(), folders.end());
}

// Makes the trial's folder with the rights of the job's folder, so that an
// image's user can write to it if it can write to the job's.
absl::Status MakeJobDir(const JobSpec& spec, TrialId trial) {
  const std::string& job_dir = spec.training_input.job_dir;
  if (job_dir.empty() || job_dir.front() != '/') return absl::OkStatus();
  const std::string own = TrialJobDir(spec, trial);
  struct stat info = {};
  const bool is_new = ::lstat(own.c_str(), &info) != 0;
  VERNIER_RETURN_IF_ERROR(MakeDirectories(own));
  if (!is_new || own == job_dir || ::stat(job_dir.c_str(), &info) != 0) {
    return absl::OkStatus();
  }
  if (::chmod(own.c_str(), info.st_mode & 07777) != 0) {
    return absl::ErrnoToStatus(errno, own);
  }
  return absl::OkStatus();
}

absl::Status MakeFolders(const LaunchFile& launch, const GangContext& context,
                         std::vector<std::string>& folders) {
  if (context.spec->training_input.hyperparameters) {
    const std::string metrics = MetricDirectory(context.run_dir);
    VERNIER_RETURN_IF_ERROR(OpenToAll(metrics));
    folders.push_back(metrics);
  }
  VERNIER_RETURN_IF_ERROR(OpenWorkFolderToAll(launch.work_dir));
  return MakeJobDir(*context.spec, launch.attempt.trial);
}

ContainerLimits LimitsOf(const LaunchFile& launch, const RoleSpec& role) {
  if (!launch.containers.limits_machines) return {};
  ContainerLimits limits = LimitsOfMachine(role.machine_type);
  // Engines refuse more processors than the machine has.
  const auto present = static_cast<double>(::sysconf(_SC_NPROCESSORS_ONLN));
  limits.processors = std::min(limits.processors, present);
  return limits;
}

// Checks that the container has a program: an image without one would take the
// first argument for it.
absl::Status CheckProgram(const ContainerSpec& spec,
                          const ContainerImage& image) {
  if (!spec.entry_point.empty() || image.has_entry_point) {
    return absl::OkStatus();
  }
  const bool names_program = spec.arguments.empty()
                                 ? image.has_command
                                 : spec.arguments.front().rfind('-', 0) != 0;
  if (names_program) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "the image " + spec.image_title +
      " has no ENTRYPOINT to which the arguments could be given: name the "
      "program as containerCommand");
}

}  // namespace

absl::StatusOr<PreparedContainers> PrepareContainers(
    const std::string& attempt_dir, const LaunchFile& launch,
    const JobSpec& spec, const char* const* service_environment) {
  PreparedContainers prepared;
  const std::set<std::string> images = ImagesOf(spec.training_input);
  if (images.empty()) return prepared;
  prepared.environment = EngineEnvironment(service_environment);
  const LeavingOrphansAlone orphans;
  NoteLaunchPhase(attempt_dir, "looking for a container engine");
  const absl::StatusOr<ContainerEngine> engine =
      FindEngine(launch.containers, prepared.environment);
  if (absl::IsFailedPrecondition(engine.status())) {
    return absl::FailedPreconditionError(
        "The container image " + *images.begin() +
        " cannot be run: " + std::string(engine.status().message()));
  }
  VERNIER_RETURN_IF_ERROR(engine.status());
  prepared.engine = *engine;
  for (const std::string& uri : images) {
    absl::StatusOr<ContainerImage> image = GetImage(
        uri, *engine, launch.containers, prepared.environment,
        [&](const std::string& phase) { NoteLaunchPhase(attempt_dir, phase); });
    VERNIER_RETURN_IF_ERROR(image.status());
    prepared.images[uri] = *std::move(image);
  }
  NoteLaunchPhase(attempt_dir, "");
  return prepared;
}

absl::StatusOr<ContainerSpec> DescribeContainer(const LaunchFile& launch,
                                                const GangContext& context,
                                                std::size_t position,
                                                const std::string& image_id) {
  const JobSpec& job = *context.spec;
  const ReplicaId replica = context.addresses[position].replica;
  ContainerSpec spec;
  spec.name = ContainerName(launch.nonce, replica);
  spec.nonce = launch.nonce;
  spec.job = job.job_id;
  spec.trial = std::to_string(ToInt(launch.attempt.trial));
  spec.image_title = ImageOf(job.training_input, replica.role);
  spec.image = image_id;
  VERNIER_ASSIGN_OR_RETURN(
      ReplicaCommand command,
      CommandOfReplica(job, launch.parameters, launch.attempt.trial,
                       replica.role, "python3", launch.resources.local_paths));
  spec.entry_point = std::move(command.program);
  spec.arguments = std::move(command.arguments);
  spec.environment = ContainerEnvironment(context, position);
  spec.folders = FoldersOf(launch, context);
  spec.mounts = launch.containers.mounts;
  if (!launch.code_dir.empty()) spec.work_dir = launch.work_dir;
  if (position < context.devices.size()) {
    for (const std::string& lease : context.devices[position]) {
      const std::string gpu = ParseDeviceLease(lease).device;
      // The GPUs of --gpus=fake:N exist for schedulers only.
      if (!absl::StartsWith(gpu, "GPU-fake-")) spec.gpus.push_back(gpu);
    }
  }
  spec.limits = LimitsOf(launch, RoleOf(job.training_input, replica.role));
  return spec;
}

absl::StatusOr<ContainerSpec> MakeContainer(
    const LaunchFile& launch, const GangContext& context, std::size_t position,
    const PreparedContainers& prepared) {
  const ReplicaRole role = context.addresses[position].replica.role;
  const ContainerImage& image =
      prepared.images.at(ImageOf(context.spec->training_input, role));
  VERNIER_ASSIGN_OR_RETURN(
      ContainerSpec spec,
      DescribeContainer(launch, context, position, image.id));
  VERNIER_RETURN_IF_ERROR(CheckProgram(spec, image));
  VERNIER_RETURN_IF_ERROR(MakeFolders(launch, context, spec.folders));
  return spec;
}

}  // namespace vernier
