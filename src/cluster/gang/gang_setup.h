#ifndef VERNIER_CLUSTER_GANG_GANG_SETUP_H_
#define VERNIER_CLUSTER_GANG_GANG_SETUP_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cluster/attempt/launch_file.h"
#include "cluster/containers/replica_containers.h"
#include "cluster/gang/container_setup.h"
#include "cluster/process/port_reservation.h"
#include "cluster/process/process_gang.h"
#include "cluster/replica.h"
#include "cluster/trial_environment.h"
#include "study/job_spec.h"

namespace vernier {

/// Makes the folders of an attempt that its replicas use: logs, work folder,
/// metric files. May be called again.
absl::Status MakeAttemptFolders(const std::string& attempt_dir,
                                const LaunchFile& launch, const JobSpec& spec);

/// Returns what is known of a gang before it is set up: no secrets, addresses,
/// devices or addresses of the service. `spec` is borrowed;
/// `service_environment` is as in environ(7).
GangContext LaunchContext(const std::string& attempt_dir,
                          const LaunchFile& launch, const JobSpec& spec,
                          const char* const* service_environment);

/// Returns the inputs of ReplicaEnvironment, without addresses and the master's
/// port. `spec` is borrowed; `service_environment` is as in environ(7).
///
/// Errors: those of ReadSecretFile; INVALID_ARGUMENT.
absl::StatusOr<GangContext> MakeGangContext(
    const std::string& attempt_dir, const LaunchFile& launch,
    const JobSpec& spec, const char* const* service_environment);

/// Returns the process of the replica at `position` of `context.addresses`,
/// which must have no image.
///
/// Errors: INVALID_ARGUMENT, NOT_FOUND or PERMISSION_DENIED if its program
/// cannot be run.
absl::StatusOr<ReplicaProgram> MakeReplicaProgram(const LaunchFile& launch,
                                                  const GangContext& context,
                                                  std::size_t position);

/// Returns `status` with "The replica worker 0 could not be started: " in
/// front.
absl::Status CouldNotStart(ReplicaId replica, const absl::Status& status);

/// A gang that is ready to be started.
struct GangSetup {
  PortReservation ports;  ///< Keep it as long as the gang lives.
  std::vector<ReplicaProgram> programs;
  /// The containers of the replicas that have an image; null if none has. Never
  /// moved.
  std::unique_ptr<ReplicaContainers> containers;
};

/// Reserves the gang's ports, makes its directories and determines each
/// replica's program, arguments and environment. `service_environment` is as in
/// environ(7). `images` is the result of PrepareContainers.
///
/// Errors: INVALID_ARGUMENT, NOT_FOUND or PERMISSION_DENIED if a program cannot
/// be run; RESOURCE_EXHAUSTED if there are no ports.
absl::StatusOr<GangSetup> SetUpGang(const std::string& attempt_dir,
                                    const LaunchFile& launch,
                                    const JobSpec& spec,
                                    const PreparedContainers& images,
                                    const char* const* service_environment);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_GANG_GANG_SETUP_H_
