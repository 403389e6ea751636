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

/// Receives the progress of getting an image: one line for people at each call.
using ImageProgress = std::function<void(const std::string&)>;

/// Returns whether `uri` is a tar archive on this machine: an absolute path,
/// with or without "docker-archive:" or "oci-archive:" before it.
bool IsArchive(const std::string& uri);

/// Finds the image `uri` among those that the engine has; else loads it from
/// its archive or pulls it from its registry. If several attempts want an image
/// at the same time, one gets it and the others wait. The conditions of
/// LockInterruptibly hold.
///
/// Errors name the image: NOT_FOUND, PERMISSION_DENIED (credentials),
/// RESOURCE_EXHAUSTED (no space), UNAVAILABLE (registry out of reach),
/// CANCELLED after SIGTERM, FAILED_PRECONDITION.
absl::StatusOr<ContainerImage> GetImage(const std::string& uri,
                                        const ContainerEngine& engine,
                                        const ContainerSettings& settings,
                                        const Environment& environment,
                                        const ImageProgress& progress);

/// Converts an engine's output about a failed pull or load to an error of one
/// sentence that names the image. Pure.
absl::Status ImageError(const std::string& uri, const std::string& output);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CONTAINERS_CONTAINER_IMAGE_H_
