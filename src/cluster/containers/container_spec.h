#ifndef VERNIER_CLUSTER_CONTAINERS_CONTAINER_SPEC_H_
#define VERNIER_CLUSTER_CONTAINERS_CONTAINER_SPEC_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cluster/replica.h"
#include "cluster/trial_environment.h"

namespace vernier {

/// Limits on one container; 0 means no limit.
struct ContainerLimits {
  std::int64_t memory_bytes = 0;
  double processors = 0;
};

/// One replica's container.
struct ContainerSpec {
  std::string name;         ///< See ContainerName.
  std::string nonce;        ///< Of the attempt; a label.
  std::string job;          ///< A label.
  std::string trial;        ///< Likewise.
  std::string image;        ///< Its id.
  std::string image_title;  ///< As the job names it.
  /// Replaces the image's ENTRYPOINT and CMD; if empty, the image's ENTRYPOINT
  /// stays.
  std::vector<std::string> entry_point;
  std::vector<std::string> arguments;  ///< Not empty: instead of its CMD.
  Environment environment;             ///< Beside the image's own.
  std::vector<std::string> folders;    ///< Of this machine; at the same paths.
  std::vector<std::string> mounts;     ///< As ContainerSettings::mounts.
  std::string work_dir;                ///< Empty: the image's own.
  std::vector<std::string> gpus;       ///< UUIDs; it gets no other.
  ContainerLimits limits;
};

/// Returns a name such as "vernier-NONCE-worker-2". It is unique forever, so
/// that the owner of a container can be told from its name.
std::string ContainerName(const std::string& nonce, ReplicaId replica);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CONTAINERS_CONTAINER_SPEC_H_
