#ifndef VERNIER_STUDY_DEVICES_DEVICE_H_
#define VERNIER_STUDY_DEVICES_DEVICE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace vernier {

/// One GPU, or MIG instance of one, that attempts may lease.
struct Device {
  std::string id;                 ///< UUID.
  std::string model;              ///< E.g. "NVIDIA H200".
  std::int64_t memory_bytes = 0;  ///< 0: unknown.
  /// The GPU that a MIG instance is a part of; empty for a whole GPU.
  std::string parent = "";
  /// Other GPUs of the machine that it reaches by NVLink.
  std::vector<std::string> links = {};
};

/// A GPU that must not be leased now.
struct UnusableDevice {
  std::string id;
  /// The rest of a sentence: "has an uncorrectable memory error".
  std::string reason;
  bool is_sick = false;  ///< It will not recover by waiting.
};

}  // namespace vernier

#endif  // VERNIER_STUDY_DEVICES_DEVICE_H_
