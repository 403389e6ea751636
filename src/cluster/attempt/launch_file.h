#ifndef VERNIER_CLUSTER_ATTEMPT_LAUNCH_FILE_H_
#define VERNIER_CLUSTER_ATTEMPT_LAUNCH_FILE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/small_file.h"
#include "cluster/attempt/trial_resources.h"
#include "cluster/containers/container_engine.h"
#include "study/ids.h"
#include "study/job_id.h"
#include "study/job_spec.h"
#include "study/parameter.h"

namespace vernier {

/// The launcher's instructions for the supervisor of one attempt.
struct LaunchFile {
  AttemptKey attempt;
  std::string nonce;
  std::string spec_json;                               ///< For ParseStoredJob.
  std::string project = std::string(kDefaultProject);  ///< The job's.
  int restart_count = 0;  ///< As LaunchRequest::restart_count.
  int repeat = 0;         ///< As LaunchRequest::repeat.
  Parameters parameters;
  std::string work_dir;  ///< Absolute working directory of the replicas.
  std::string code_dir;  ///< The job's pinned code; empty if it has none.
  std::vector<std::string> devices;
  bool machine_has_gpus = false;
  std::int64_t log_cap_bytes = 0;  ///< Per replica.
  TrialResources resources;
  /// The folder of the job's packages, which are installed once for all of its
  /// attempts.
  std::string package_dir;
  ContainerSettings containers;  ///< For replicas with an image.
  std::string failure;           ///< Why it cannot run at all; empty: it can.
};

/// Writes `launch.json` into `attempt_dir`. For a supervisor that is spawned
/// after it, the file need not be synced: both live in the same boot.
absl::Status WriteLaunchFile(const std::string& attempt_dir,
                             const LaunchFile& launch,
                             Durability durability = Durability::kVolatile);

/// Errors: NOT_FOUND if there is none; DATA_LOSS if it cannot be parsed; any
/// other code if it cannot be read now.
absl::StatusOr<LaunchFile> ReadLaunchFile(const std::string& attempt_dir);

/// Returns the job that the attempt runs, with the jobDir that was resolved for
/// it. INVALID_ARGUMENT if `launch.spec_json` is not of this release.
absl::StatusOr<JobSpec> JobOf(const LaunchFile& launch);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_ATTEMPT_LAUNCH_FILE_H_
