#include "cluster/machine/gpu_monitor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>

#include "cluster/machine/nvml_library.h"
#include "tests/support/await_condition.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

using GpuNames = std::vector<std::string>;

TEST(GpuMonitorTest, FindsWhoUsesAFreeGpuAndTellsWhenItIsGone) {
  std::atomic<bool> is_used = true;
  std::atomic<int> calls = 0;
  GpuMonitor::Options options;
  options.on_change = [&] { ++calls; };
  GpuMonitor monitor(
      {"A", "B"},
      [&](const std::string& id) {
        GpuCondition condition;
        if (id == "B" && is_used) condition.compute = {{7, "other"}};
        return condition;
      },
      options);
  ASSERT_EQ(monitor.Check({"B"}).size(), 1u) << "it was not looked at yet";
  ASSERT_TRUE(AwaitCondition([&] {
    const auto unusable = monitor.Check({"B"});
    return unusable.size() == 1 &&
           unusable[0].reason ==
               "is used by process 7 (other), which no trial started";
  }));
  const int before = calls;
  is_used = false;
  EXPECT_TRUE(AwaitCondition([&] { return monitor.Check({"B"}).empty(); }));
  EXPECT_TRUE(AwaitCondition([&] { return calls > before; }));
}

TEST(GpuMonitorTest, EndsThoughADriverHangs) {
  std::promise<void> release;
  std::shared_future<void> released = release.get_future().share();
  std::atomic<bool> hangs = false;
  {
    GpuMonitor monitor({"A"},
                       [&hangs, released](const std::string&) {
                         hangs = true;
                         released.wait();
                         return GpuCondition();
                       },
                       {});
    monitor.Check({"A"});
    ASSERT_TRUE(AwaitCondition([&] { return hangs.load(); }));
  }
  release.set_value();
}

class NvmlLibraryTest : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("FAKE_NVML_STATE", (dir_ / "state").c_str(), 1);
  }
  void TearDown() override { ::unsetenv("FAKE_NVML_STATE"); }

  std::unique_ptr<NvmlLibrary> Load(const std::string& state) {
    WriteText(dir_ / "state", state);
    return *NvmlLibrary::Load(VERNIER_FAKE_NVML);
  }

  const ScratchFolder dir_;
};

TEST_F(NvmlLibraryTest,
       ListsGpusTheirLinksAndTheInstancesOfThoseThatAreDivided) {
  const auto nvml = Load(
      "GPU-a total_mb=81920 link=GPU-b\n"
      "GPU-b total_mb=81920 link=GPU-a\n"
      "GPU-c total_mb=81920\n"
      "MIG-1 total_mb=20480 parent=GPU-c\n"
      "MIG-2 total_mb=40960 parent=GPU-c\n"
      "GPU-d lost=1\n");
  const std::vector<Device> devices = nvml->List();
  ASSERT_EQ(devices.size(), 4u);
  EXPECT_EQ(devices[0].id, "GPU-a");
  EXPECT_EQ(devices[0].links, GpuNames{"GPU-b"});
  EXPECT_EQ(devices[1].links, GpuNames{"GPU-a"});
  EXPECT_EQ(devices[2].id, "MIG-1");
  EXPECT_EQ(devices[2].parent, "GPU-c");
  EXPECT_EQ(devices[2].memory_bytes, std::int64_t{20480} << 20);
  EXPECT_EQ(devices[3].id, "MIG-2");
  EXPECT_EQ(devices[3].links, GpuNames{});
}

TEST_F(NvmlLibraryTest, ExaminesAGpu) {
  const auto nvml = Load(
      "GPU-a total_mb=100 used_mb=60 uncorrected=2 pending=1 process=4194305 "
      "process=1 graphics=9\n"
      "GPU-b lost=1\n"
      "GPU-c failed=1\n"
      "MIG-1 parent=GPU-c used_mb=3\n");
  const GpuCondition busy = nvml->Examine("GPU-a");
  EXPECT_EQ(busy.failure, "");
  EXPECT_EQ(busy.used_bytes, 60 << 20);
  EXPECT_EQ(busy.uncorrected_errors, 2);
  EXPECT_TRUE(busy.needs_reset);
  EXPECT_FALSE(busy.needs_service);
  EXPECT_TRUE(busy.has_graphics);
  ASSERT_EQ(busy.compute.size(), 2u);
  EXPECT_EQ(busy.compute[0].name, "") << "there is no such process";
  EXPECT_NE(busy.compute[1].name, "");
  EXPECT_EQ(nvml->Examine("GPU-b").failure, "GPU is lost");
  EXPECT_NE(nvml->Examine("GPU-none").failure, "");
  const GpuCondition part = nvml->Examine("MIG-1");
  EXPECT_TRUE(part.needs_service) << "the whole GPU has it";
  EXPECT_EQ(part.used_bytes, 3 << 20);
}

}  // namespace
}  // namespace vernier
