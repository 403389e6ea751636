#include "cluster/machine/gpu_inventory.h"

#include <gtest/gtest.h>

#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

GpuSources NoSources() {
  GpuSources sources;
  sources.nvml_library = "";
  sources.smi_program = "";
  return sources;
}

std::vector<std::string> Ids(const std::vector<Device>& devices) {
  std::vector<std::string> ids;
  for (const Device& device : devices) ids.push_back(device.id);
  return ids;
}
using Names = std::vector<std::string>;

TEST(GpuInventoryTest, ParsesWhatNvidiaSmiPrints) {
  const std::vector<Device> devices = ParseSmiOutput(
      "GPU-11, NVIDIA H200, 143771\n"
      "No devices were found\n"
      "GPU-22, NVIDIA GB10, [N/A]\n");
  ASSERT_EQ(Ids(devices), (Names{"GPU-11", "GPU-22"}));
  EXPECT_EQ(devices[0].model, "NVIDIA H200");
  EXPECT_EQ(devices[0].memory_bytes, 143771ll << 20);
  EXPECT_EQ(devices[1].memory_bytes, 0);
}

TEST(GpuInventoryTest, HonoursVisibleDevicesAsCudaDoes) {
  const std::vector<Device> all = {
      {"GPU-aa", "", 0}, {"GPU-bb", "", 0}, {"GPU-cc", "", 0}};
  const struct {
    const char* visible;
    Names kept;
  } kCases[] = {
      {"0,2", {"GPU-aa", "GPU-cc"}},
      {"2,0", {"GPU-cc", "GPU-aa"}},
      {"GPU-b", {"GPU-bb"}},
      {"", {}},
      {"-1", {}},
      {"1,7,0", {"GPU-bb"}},
      {" 1 , GPU-aa", {"GPU-bb", "GPU-aa"}},
      {"NoDevFiles", {}},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(Ids(VisibleDevices(all, test.visible)), test.kept)
        << '"' << test.visible << '"';
  }
}

TEST(GpuInventoryTest, TakesTheSetting) {
  EXPECT_TRUE(FindGpus("none", NoSources())->empty());
  EXPECT_TRUE(FindGpus("", NoSources())->empty());
  EXPECT_EQ(Ids(*FindGpus("fake:2", NoSources())),
            (Names{"GPU-fake-0", "GPU-fake-1"}));
  EXPECT_EQ(FindGpus("fake:1x80G", NoSources())->front().memory_bytes,
            80ll << 30);
  EXPECT_EQ(Ids(*FindGpus("GPU-a, MIG-b", NoSources())),
            (Names{"GPU-a", "MIG-b"}));
  for (const char* bad :
       {"4", "fake:", "fake:1x", "fake:1x80", "fake:x8G", "fake:1x0G",
        "fake:-1", "fake:9999999", "GPU-a,,", "GPU-a,GPU-a", "all"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(FindGpus(bad, NoSources()).status()))
        << bad;
  }
}

class SmiTest : public testing::Test {
 protected:
  GpuSources FakeSmi(const std::string& script) {
    GpuSources sources = NoSources();
    sources.smi_program = dir_ / "nvidia-smi";
    WriteText(sources.smi_program, "#!/bin/sh\n" + script);
    std::filesystem::permissions(sources.smi_program,
                                 std::filesystem::perms::owner_all);
    return sources;
  }
  const ScratchFolder dir_;
};

TEST_F(SmiTest, AsksNvidiaSmiWithoutNvml) {
  GpuSources sources = FakeSmi(
      "[ \"$1\" = --query-gpu=uuid,name,memory.total ] || exit 9\n"
      "[ \"$2\" = --format=csv,noheader,nounits ] || exit 9\n"
      "echo 'GPU-1, Tesla V100, 16160'; echo 'GPU-2, Tesla V100, 16160'\n");
  sources.nvml_library = dir_ / "missing.so";
  EXPECT_EQ(Ids(*FindGpus("", sources)), (Names{"GPU-1", "GPU-2"}));
  sources.visible_devices = "1";
  EXPECT_EQ(Ids(*FindGpus("", sources)), (Names{"GPU-2"}));
}

TEST_F(SmiTest, DoesNotBelieveAFailingNvidiaSmi) {
  EXPECT_TRUE(FindGpus("", FakeSmi("echo 'GPU-1, x, 1'; exit 9\n"))->empty());
}

TEST_F(SmiTest, DoesNotWaitForAHangingNvidiaSmi) {
  GpuSources sources = FakeSmi("exec sleep 600\n");
  sources.smi_timeout = std::chrono::milliseconds(50);
  EXPECT_TRUE(FindGpus("", sources)->empty());
}

TEST_F(SmiTest, HasNoGpusWithoutNvidiaSmi) {
  GpuSources sources = NoSources();
  sources.smi_program = dir_ / "nothing-here";
  EXPECT_TRUE(FindGpus("", sources)->empty());
}

TEST(NvmlTest, AsksTheLibrary) {
  GpuSources sources = NoSources();
  sources.nvml_library = VERNIER_FAKE_NVML;
  const auto devices = FindGpus("", sources);
  ASSERT_TRUE(devices.ok());
  // The second of three fell off the bus.
  ASSERT_EQ(Ids(*devices), (Names{"GPU-nvml-0", "GPU-nvml-2"}));
  EXPECT_EQ((*devices)[0].model, "Fake GPU");
  EXPECT_EQ((*devices)[1].memory_bytes, 1ll << 30);
}

}  // namespace
}  // namespace vernier
