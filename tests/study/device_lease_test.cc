#include "study/devices/device_lease.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

TEST(DeviceLeaseTest, ReadsWhatItWrites) {
  const DeviceLease leases[] = {
      {"GPU-5f0a"}, {"MIG-1+2", 0, 0}, {"GPU-5f0a", 8192, 2}, {"a+b", 1, 1}};
  for (const DeviceLease& lease : leases) {
    EXPECT_EQ(ParseDeviceLease(ToString(lease)), lease) << ToString(lease);
  }
  EXPECT_EQ(ToString({"GPU-5f0a", 8192, 2}), "GPU-5f0a+8192M.2");
}

TEST(DeviceLeaseTest, AnyOtherTextIsAWholeGpu) {
  for (const char* text :
       {"", "+", "a+", "a+8M", "a+8M.", "a+M.1", "a+0M.1", "a+8M.0", "a+-8M.1",
        "a+8M.1x", "a+99999999999999999999M.1", "a+8M.99999999999"}) {
    EXPECT_EQ(ParseDeviceLease(text), (DeviceLease{text})) << text;
  }
}

}  // namespace
}  // namespace vernier
