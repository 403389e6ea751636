#include "study/machine_type.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

TEST(MachineTypeTest, KnowsWhatTrainingsRunOn) {
  for (const char* name :
       {"standard", "complex_model_l_gpu", "cloud_tpu", "n1-standard-1",
        "n1-standard-96", "n1-highcpu-16", "e2-medium", "a2-megagpu-16g",
        "g2-standard-48", "c3-standard-8-lssd", "custom-4-8192",
        "n2-custom-8-65536-ext", "m3-ultramem-128"}) {
    EXPECT_TRUE(IsKnownMachineType(name)) << name;
  }
  for (const char* name :
       {"", "n1", "n1-standard", "n1-standard-", "n1-standard-5",
        "n1-standard-4-", "n1-standrd-4", "custom-4", "custom--1",
        "x9-custom-4-8192", "my-box", "-lssd"}) {
    EXPECT_FALSE(IsKnownMachineType(name)) << name;
  }
}

TEST(MachineTypeTest, NamesTheNearest) {
  EXPECT_EQ(DidYouMeanMachineType("n1-standrd-4"),
            "; did you mean n1-standard-4?");
  EXPECT_EQ(DidYouMeanMachineType("a2-highgpu-3g"),
            "; did you mean a2-highgpu-1g?");
  EXPECT_EQ(DidYouMeanMachineType("our-own-big-machine"), "");
}

TEST(MachineTypeTest, GpusComeWithSomeTypes) {
  EXPECT_EQ(GpusOfMachineType("g2-standard-96"), 8);
  EXPECT_EQ(GpusOfMachineType("a3-highgpu-8g"), 8);
  EXPECT_EQ(GpusOfMachineType("n1-standard-4"), 0);
}

}  // namespace
}  // namespace vernier
