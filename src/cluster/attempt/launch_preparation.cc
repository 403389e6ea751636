#include "cluster/attempt/launch_preparation.h"

#include <cstddef>
#include <string>
#include <utility>

#include "base/small_file.h"
#include "base/status_macros.h"
#include "cluster/attempt/launch_file.h"
#include "cluster/code/package_pin.h"
#include "cluster/machine/gpu_inventory.h"
#include "cluster/trial_environment.h"

namespace vernier {
namespace {

constexpr std::size_t kNonceDigits = 32;

bool IsNonce(const std::string& text) {
  return text.size() == kNonceDigits &&
         text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

absl::Status CheckLaunchRequest(const LaunchRequest& request) {
  if (!IsNonce(request.nonce)) {
    return absl::InvalidArgumentError("a nonce is 32 hex digits: " +
                                      request.nonce);
  }
  for (const std::string* path : {&request.run_dir, &request.code_dir}) {
    if (!path->empty() && path->front() != '/') {
      return absl::InvalidArgumentError("a directory must be absolute: " +
                                        *path);
    }
  }
  if (request.run_dir.empty()) {
    return absl::InvalidArgumentError("the attempt has no directory");
  }
  return SplitDevices(*request.spec, request.devices).status();
}

absl::Status PrepareLaunch(const LaunchRequest& request,
                           const LaunchSettings& settings) {
  VERNIER_RETURN_IF_ERROR(MakeDirectories(request.run_dir));
  if (request.spec->training_input.hyperparameters) {
    // The folder is made here, so that a metric source can watch it from the
    // start.
    VERNIER_RETURN_IF_ERROR(MakeDirectories(MetricDirectory(request.run_dir)));
  }
  LaunchFile launch;
  launch.attempt = request.attempt;
  launch.nonce = request.nonce;
  launch.spec_json = request.spec_json;
  launch.project = request.project;
  launch.restart_count = request.restart_count;
  launch.repeat = request.repeat;
  launch.parameters = request.parameters;
  launch.work_dir = WorkDirectory(request.run_dir);
  launch.code_dir = request.code_dir;
  launch.devices = request.devices;
  launch.machine_has_gpus = settings.machine_has_gpus;
  launch.log_cap_bytes = settings.log_cap_bytes;
  launch.containers = settings.containers;
  launch.package_dir =
      PackageDirOf(JobRunDirOf(request.run_dir), request.code_version);
  auto resources =
      settings.resolve ? settings.resolve(request) : ResourcesOf(*request.spec);
  if (resources.ok()) {
    launch.resources = *std::move(resources);
  } else if (absl::IsUnavailable(resources.status()) ||
             absl::IsResourceExhausted(resources.status())) {
    return resources.status();
  } else {
    // The supervisor copies this to the exit record, so that the attempt counts
    // as one that could not be launched and not as lost.
    launch.failure = std::string(resources.status().message());
  }
  return WriteLaunchFile(request.run_dir, launch, settings.durability);
}

}  // namespace vernier
