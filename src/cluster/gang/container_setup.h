#ifndef VERNIER_CLUSTER_GANG_CONTAINER_SETUP_H_
#define VERNIER_CLUSTER_GANG_CONTAINER_SETUP_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "cluster/attempt/launch_file.h"
#include "cluster/containers/container_engine.h"
#include "cluster/containers/container_image.h"
#include "cluster/containers/container_spec.h"
#include "cluster/trial_environment.h"
#include "study/job_spec.h"

namespace vernier {

/// The engine and images that a gang's containers need, before any is made.
struct PreparedContainers {
  std::optional<ContainerEngine> engine;  ///< Unset: no replica has an image.
  Environment environment;                ///< EngineEnvironment's.
  std::map<std::string, ContainerImage> images;  ///< By imageUri.
};

/// Finds the engine and gets the images of the job, if it has any. Meanwhile
/// LaunchPhaseOf reports the progress. `service_environment` is as in
/// environ(7). The conditions of GetImage hold.
///
/// Errors: those of FindEngine and GetImage.
absl::StatusOr<PreparedContainers> PrepareContainers(
    const std::string& attempt_dir, const LaunchFile& launch,
    const JobSpec& spec, const char* const* service_environment);

/// Describes the container of the gang's replica at `position`, which must have
/// an image, without the folder of metric files. Pure. Errors: those of
/// CommandOfReplica.
absl::StatusOr<ContainerSpec> DescribeContainer(const LaunchFile& launch,
                                                const GangContext& context,
                                                std::size_t position,
                                                const std::string& image_id);

/// As DescribeContainer, for an attempt that starts: adds the folder of metric
/// files and makes the folders that the container mounts.
///
/// INVALID_ARGUMENT if the image has no program for it; or an errno's code.
absl::StatusOr<ContainerSpec> MakeContainer(const LaunchFile& launch,
                                            const GangContext& context,
                                            std::size_t position,
                                            const PreparedContainers& prepared);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_GANG_CONTAINER_SETUP_H_
