#ifndef VERNIER_STUDY_DEVICES_DEVICE_LEASE_H_
#define VERNIER_STUDY_DEVICES_DEVICE_LEASE_H_

#include <cstdint>
#include <string>

namespace vernier {

/// What a replica holds of one GPU: all of it, or a share of its memory. Its
/// text is what the store keeps and lets one attempt hold at a time.
struct DeviceLease {
  std::string device;          ///< As Device::id.
  std::int64_t memory_mb = 0;  ///< Of a share; 0: the whole GPU.
  int number = 0;              ///< Of a share: 1, 2, ... on its GPU.

  friend bool operator==(const DeviceLease&, const DeviceLease&) = default;
};

/// "GPU-5f0a...", or of a share "GPU-5f0a...+8192M.2".
std::string ToString(const DeviceLease& lease);

/// The inverse. Any text that is no share's is a whole GPU's.
DeviceLease ParseDeviceLease(const std::string& text);

}  // namespace vernier

#endif  // VERNIER_STUDY_DEVICES_DEVICE_LEASE_H_
