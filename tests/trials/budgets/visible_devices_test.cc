#include "trials/budgets/visible_devices.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

using Devices = std::vector<DeviceId>;

TEST(VisibleDevicesTest, ReadsNumbersAndUuidsAsCudaDoes) {
  const Devices all = {"GPU-aa1", "GPU-ab2", "GPU-cc3"};
  const struct {
    const char* text;
    Devices visible;
  } cases[] = {
      {"0", {"GPU-aa1"}},
      {"2,0", {"GPU-cc3", "GPU-aa1"}},
      {" 1 , 2 ", {"GPU-ab2", "GPU-cc3"}},
      {"GPU-ab", {"GPU-ab2"}},
      {"1,1", {"GPU-ab2"}},
      {"0,7,1", {"GPU-aa1"}},
      {"0,-1,1", {"GPU-aa1"}},
      {"-1", {}},
      {"", {}},
      {"all", {}},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(VisibleDevices(each.text, all), each.visible) << each.text;
  }
}

TEST(VisibleDevicesTest, TheJobsOwnEnvironmentGoesBeforeTheSubmitters) {
  JobSpec spec;
  EXPECT_FALSE(VisibleDevicesText(spec).has_value());
  spec.vernier.caller_environment["CUDA_VISIBLE_DEVICES"] = "0";
  EXPECT_EQ(VisibleDevicesText(spec), "0");
  spec.vernier.environment["CUDA_VISIBLE_DEVICES"] = "1";
  EXPECT_EQ(VisibleDevicesText(spec), "1");
}

}  // namespace
}  // namespace vernier
