#include "cluster/containers/machine_limits.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

TEST(MachineLimitsTest, KnowsAiPlatformsAndComputeEnginesTypes) {
  constexpr double kGiB = 1024.0 * 1024 * 1024;
  struct Case {
    const char* type;
    double processors;
    double gib;
  };
  const Case cases[] = {
      {"standard", 4, 15},          {"large_model", 8, 52},
      {"n1-standard-4", 4, 15},     {"n1-highmem-2", 2, 13},
      {"n1-custom-8-32768", 8, 32}, {"cloud_tpu", 0, 0},
      {"n1-strange-4", 0, 0},       {"", 0, 0},
  };
  for (const Case& one : cases) {
    const ContainerLimits limits = LimitsOfMachine(one.type);
    EXPECT_EQ(limits.processors, one.processors) << one.type;
    EXPECT_EQ(static_cast<double>(limits.memory_bytes), one.gib * kGiB)
        << one.type;
  }
}

}  // namespace
}  // namespace vernier
