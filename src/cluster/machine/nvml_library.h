#ifndef VERNIER_CLUSTER_MACHINE_NVML_LIBRARY_H_
#define VERNIER_CLUSTER_MACHINE_NVML_LIBRARY_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// The GPUs that NVIDIA's management library lists, in PCI order. The library
/// is loaded for the call, since machines without a GPU do not have it.
/// NOT_FOUND if it does not exist; UNAVAILABLE if it refuses.
absl::StatusOr<std::vector<Device>> QueryNvml(const std::string& library);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_MACHINE_NVML_LIBRARY_H_
