#include "trials/budgets/gpu_pool.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

using Leases = std::vector<DeviceId>;

constexpr std::int64_t kGigabyte = std::int64_t{1} << 30;

/// GPUs "0", "1", ... of 80 GB each, with NVLink within each group.
std::vector<Device> Linked(const std::vector<int>& group_sizes) {
  std::vector<Device> devices;
  for (const int size : group_sizes) {
    const std::size_t first = devices.size();
    for (int i = 0; i < size; ++i) {
      devices.push_back({std::to_string(devices.size()), "", 80 * kGigabyte});
    }
    for (std::size_t a = first; a < devices.size(); ++a) {
      for (std::size_t b = first; b < devices.size(); ++b) {
        if (a != b) devices[a].links.push_back(devices[b].id);
      }
    }
  }
  return devices;
}

TEST(GpuPoolTest, KeepsPairsTogether) {
  GpuPool pool(Linked({2, 2, 2}));
  EXPECT_EQ(pool.Take({1}), (Leases{"0"}));
  // The single one breaks no second pair.
  EXPECT_EQ(pool.Take({1}), (Leases{"1"}));
  pool.GiveBack("0");
  EXPECT_EQ(pool.Take({2}), (Leases{"2", "3"}));
  EXPECT_EQ(pool.Take({1}), (Leases{"0"}));
  EXPECT_EQ(pool.Take({2}), (Leases{"4", "5"}));
  EXPECT_EQ(pool.Take({1}), std::nullopt);
}

TEST(GpuPoolTest, AGangGetsTheGroupThatFitsIt) {
  GpuPool pool(Linked({4, 2, 3}));
  EXPECT_EQ(pool.Take({2}), (Leases{"4", "5"}));
  EXPECT_EQ(pool.Take({3}), (Leases{"6", "7", "8"}));
  EXPECT_EQ(pool.Take({4}), (Leases{"0", "1", "2", "3"}));
}

TEST(GpuPoolTest, AGangLargerThanAnyGroupTakesWholeGroups) {
  GpuPool pool(Linked({2, 2, 2, 2}));
  pool.Hold("0");
  const auto taken = pool.Take({4});
  ASSERT_TRUE(taken.has_value());
  EXPECT_EQ(*taken, (Leases{"2", "3", "4", "5"}));
}

TEST(GpuPoolTest, AvoidsGpusThatFailedIfThereAreOthers) {
  GpuPool pool(Linked({2, 2}));
  EXPECT_EQ(pool.Take({2}, {"0"}), (Leases{"2", "3"}));
  EXPECT_EQ(pool.Take({2}, {"0"}), (Leases{"0", "1"}));
  GpuPool plain({{"a", "", 0}, {"b", "", 0}, {"c", "", 0}});
  EXPECT_EQ(plain.Take({2}, {"a"}), (Leases{"b", "c"}));
}

TEST(GpuPoolTest, InstancesOfOneGpuAreUsedUpBeforeTheNextIsBegun) {
  std::vector<Device> devices;
  for (const char* id : {"MIG-a1", "MIG-a2", "MIG-b1", "MIG-b2"}) {
    devices.push_back({id, "", 20 * kGigabyte, std::string("GPU-") + id[4]});
  }
  GpuPool pool(devices);
  pool.Hold("MIG-b1");
  EXPECT_EQ(pool.Take({1}), (Leases{"MIG-b2"}));
  EXPECT_EQ(pool.Take({1}), (Leases{"MIG-a1"}));
  const GpuNeed several{2, 0, std::nullopt, /*needs_undivided=*/true};
  EXPECT_EQ(GpuPool(devices).Most(several), 0);
}

TEST(GpuPoolTest, SharesFillOneGpuBeforeTheNext) {
  GpuPool pool(Linked({1, 1}));
  const GpuNeed need{1, 30 * 1024};
  EXPECT_EQ(pool.Take(need), (Leases{"0+30720M.1"}));
  EXPECT_EQ(pool.Take(need), (Leases{"0+30720M.2"}));
  EXPECT_EQ(pool.Take(need), (Leases{"1+30720M.1"})) << "20 GB are left";
  EXPECT_EQ(pool.Take({1, 20 * 1024}), (Leases{"0+20480M.3"}));
  EXPECT_EQ(pool.Take({1}), std::nullopt) << "no GPU is whole";
  pool.GiveBack("1+30720M.1");
  EXPECT_EQ(pool.Take({1}), (Leases{"1"}));
  EXPECT_EQ(pool.Lack(need), 1);
  // A number that became free is used again.
  pool.GiveBack("0+30720M.1");
  EXPECT_EQ(pool.Take(need), (Leases{"0+30720M.1"}));
}

TEST(GpuPoolTest, ReplicasOfOneGangShareWithOthersOnly) {
  GpuPool pool(Linked({1, 1}));
  EXPECT_EQ(pool.Take({2, 1024}), (Leases{"0+1024M.1", "1+1024M.1"}));
  EXPECT_EQ(pool.Take({3, 1024}), std::nullopt);
}

TEST(GpuPoolTest, GpusOfUnknownMemoryAreNotShared) {
  GpuPool pool({{"a", "", 0}});
  EXPECT_EQ(pool.Most({1, 1024}), 0);
  EXPECT_EQ(pool.Take({1, 1024}), std::nullopt);
  EXPECT_EQ(pool.LargestMemory(), 0);
}

TEST(GpuPoolTest, NobodyGetsWhatIsExcluded) {
  GpuPool pool(Linked({1, 1}));
  pool.Exclude({"0", "has fallen off the bus", true});
  EXPECT_EQ(pool.Troubles(), "0 has fallen off the bus");
  EXPECT_EQ(pool.Take({1}), (Leases{"1"}));
  EXPECT_EQ(pool.Lack({1}), 1);
  EXPECT_EQ(pool.Most({2}), 2) << "it may be mended";
}

TEST(GpuPoolTest, KeepsWhatIsFreeForAGangUnlessThatWouldBeForEver) {
  GpuPool pool(Linked({1, 1, 1}));
  pool.Hold("0");
  pool.Reserve({3});
  EXPECT_EQ(pool.Take({1}), std::nullopt);

  GpuPool sick(Linked({1, 1, 1}));
  sick.Exclude({"0", "is lost", true});
  sick.Reserve({3});
  EXPECT_EQ(sick.Take({1}), (Leases{"1"}));

  GpuPool visible(Linked({1, 1, 1}));
  visible.Hold("0");
  visible.Reserve({2, 0, "0,1"});
  EXPECT_EQ(visible.Take({1}), (Leases{"2"}));
}

TEST(GpuPoolTest, WhatIsGivenBackMayHaveToBeLookedAtFirst) {
  GpuPool pool(Linked({1, 1}), /*checks_released=*/true);
  pool.Hold("0");
  pool.Hold("1+1024M.1");
  pool.Hold("1+1024M.2");
  EXPECT_FALSE(pool.GiveBack("0"));
  EXPECT_EQ(pool.Take({1}), std::nullopt);
  EXPECT_TRUE(pool.GiveBack("1+1024M.1")) << "in use by another";
  EXPECT_EQ(pool.Take({1, 1024}), (Leases{"1+1024M.1"}));
  EXPECT_TRUE(pool.GiveBack("gone")) << "the machine had it once";
}

TEST(GpuPoolTest, CountsTheLeasesWhoseEndWouldHelp) {
  const Leases leases = {"a", "b+8192M.1", "c+1024M.1"};
  EXPECT_EQ(ServingLeases(leases, {1}), 1);
  EXPECT_EQ(ServingLeases(leases, {1, 4096}), 2);
}

}  // namespace
}  // namespace vernier
