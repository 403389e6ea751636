#ifndef VERNIER_CLUSTER_CONTAINERS_CONTAINER_RECORD_H_
#define VERNIER_CLUSTER_CONTAINERS_CONTAINER_RECORD_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cluster/containers/container_engine.h"

namespace vernier {

/// The containers that an attempt may have, and the engine that can remove
/// them. The record is on disk before the first container is made, so that a
/// sweep can remove all of them, even after a restart of the machine.
struct ContainerRecord {
  ContainerEngine engine;  ///< Without its version.
  std::vector<std::string> names;
  /// The ids of the containers' images, in the same order. Earlier releases
  /// recorded neither these nor create_options.
  std::vector<std::string> images;
};

/// Writes `containers.json` into `attempt_dir`, synced.
absl::Status WriteContainerRecord(const std::string& attempt_dir,
                                  const ContainerRecord& record);

/// Returns NOT_FOUND if the attempt has made no containers; DATA_LOSS if the
/// record cannot be parsed.
absl::StatusOr<ContainerRecord> ReadContainerRecord(
    const std::string& attempt_dir);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CONTAINERS_CONTAINER_RECORD_H_
