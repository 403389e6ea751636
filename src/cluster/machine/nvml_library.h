#ifndef VERNIER_CLUSTER_MACHINE_NVML_LIBRARY_H_
#define VERNIER_CLUSTER_MACHINE_NVML_LIBRARY_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cluster/machine/gpu_condition.h"
#include "study/devices/device.h"

namespace vernier {

/// NVIDIA's management library (libnvidia-ml.so.1, part of the driver). It is
/// loaded at run time, for as long as this object lives, because machines
/// without a GPU do not have it. Functions that an old library lacks are not
/// used. Not thread-safe.
class NvmlLibrary {
 public:
  /// Returns NOT_FOUND if there is no such library; UNAVAILABLE if it lacks a
  /// required function or fails to initialize.
  static absl::StatusOr<std::unique_ptr<NvmlLibrary>> Load(
      const std::string& library);
  ~NvmlLibrary();
  NvmlLibrary(const NvmlLibrary&) = delete;
  NvmlLibrary& operator=(const NvmlLibrary&) = delete;

  /// Returns the machine's GPUs in PCI order. One that is divided by MIG is
  /// listed as its instances. One that does not answer is left out.
  std::vector<Device> List() const;

  /// Returns the state that a GPU or MIG instance reports. May take long.
  GpuCondition Examine(const std::string& id) const;

 private:
  struct Functions;

  explicit NvmlLibrary(std::unique_ptr<Functions> functions);

  const std::unique_ptr<Functions> functions_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_MACHINE_NVML_LIBRARY_H_
