#ifndef VERNIER_CLUSTER_CONTAINERS_CONTAINER_IMAGE_H_
#define VERNIER_CLUSTER_CONTAINERS_CONTAINER_IMAGE_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cluster/containers/container_engine.h"

namespace vernier {

/// An image that the engine has.
struct ContainerImage {
  std::string id;  ///< Names these bytes, whatever a tag names later.
  bool has_entry_point = false;
  bool has_command = false;  ///< CMD.
};

/// Hears how an image is being got: one line for people, again and again.
using ImageProgress = std::function<void(const std::string&)>;

/// Whether `uri` is a tar archive of this machine: an absolute path, or one
/// after "docker-archive:" or "oci-archive:".
bool IsArchive(const std::string& uri);

/// Finds the image `uri` among those that the engine has; else loads it from
/// its archive or pulls it from its registry. Of attempts that want the same
/// one at the same time, one gets it and the others wait. LockInterruptibly's
/// conditions hold.
///
/// Errors name the image: NOT_FOUND, PERMISSION_DENIED (credentials),
/// RESOURCE_EXHAUSTED (no space), UNAVAILABLE (registry out of reach),
/// CANCELLED after SIGTERM, FAILED_PRECONDITION.
absl::StatusOr<ContainerImage> GetImage(const std::string& uri,
                                        const ContainerEngine& engine,
                                        const ContainerSettings& settings,
                                        const Environment& environment,
                                        const ImageProgress& progress);

/// What an engine's last words about a pull or load mean, in one sentence with
/// the image. Pure.
absl::Status ImageError(const std::string& uri, const std::string& output);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CONTAINERS_CONTAINER_IMAGE_H_
