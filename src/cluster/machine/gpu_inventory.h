#ifndef VERNIER_CLUSTER_MACHINE_GPU_INVENTORY_H_
#define VERNIER_CLUSTER_MACHINE_GPU_INVENTORY_H_

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "study/devices/device.h"

namespace vernier {

/// The sources that are asked for GPUs. The defaults are the machine's own.
struct GpuSources {
  std::string nvml_library = "libnvidia-ml.so.1";  ///< Empty: skip.
  std::string smi_program = "nvidia-smi";          ///< In PATH; empty: skip.
  std::chrono::milliseconds smi_timeout{10000};
  /// CUDA_VISIBLE_DEVICES of this process; unset if it does not limit the GPUs.
  std::optional<std::string> visible_devices;
};

/// The machine's sources, with CUDA_VISIBLE_DEVICES of this process, and the
/// library that its VERNIER_NVML_LIBRARY names, if any.
GpuSources DefaultGpuSources();

/// Returns the GPUs that attempts may lease. `setting` is that of `--gpus`:
///   ""          those that NVML reports, else nvidia-smi, else none; only
///               those that CUDA_VISIBLE_DEVICES names, by index or UUID
///   "none"      none
///   "fake:4"    four that do not exist, for trying things out;
///   "fake:4x80G" with 80 gigabytes of memory each
///   "GPU-a,GPU-b"  these, whether or not they answer
/// INVALID_ARGUMENT for any other `setting`.
absl::StatusOr<std::vector<Device>> FindGpus(const std::string& setting,
                                             const GpuSources& sources);

/// Parses the output of `nvidia-smi --query-gpu=uuid,name,memory.total
/// --format=csv,noheader,nounits`; skips lines that it cannot parse. Pure.
std::vector<Device> ParseSmiOutput(const std::string& output);

/// Returns those of `devices` that a CUDA_VISIBLE_DEVICES names, in its order.
/// Like CUDA it stops at the first one that does not exist. UUIDs may be
/// shortened. Pure.
std::vector<Device> VisibleDevices(const std::vector<Device>& devices,
                                   const std::string& visible);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_MACHINE_GPU_INVENTORY_H_
