#ifndef VERNIER_STUDY_DEVICES_DEVICE_LEASE_H_
#define VERNIER_STUDY_DEVICES_DEVICE_LEASE_H_

#include <cstdint>
#include <string>

namespace vernier {

/// The part of one GPU that a replica holds: all of it, or a share of its
/// memory. The store keeps it as a text, which only one attempt may hold at a
/// time.
struct DeviceLease {
  std::string device;          ///< As Device::id.
  std::int64_t memory_mb = 0;  ///< Of a share; 0: the whole GPU.
  int number = 0;              ///< Of a share: 1, 2, ... on its GPU.

  friend bool operator==(const DeviceLease&, const DeviceLease&) = default;
};

/// Returns "GPU-5f0a...", or for a share "GPU-5f0a...+8192M.2".
std::string ToString(const DeviceLease& lease);

/// The inverse of ToString. A text that is not a share's is taken as a whole
/// GPU's.
DeviceLease ParseDeviceLease(const std::string& text);

}  // namespace vernier

#endif  // VERNIER_STUDY_DEVICES_DEVICE_LEASE_H_
