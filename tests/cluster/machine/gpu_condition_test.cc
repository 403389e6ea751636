#include "cluster/machine/gpu_condition.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

using Kind = GpuVerdict::Kind;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::int64_t kGigabyte = std::int64_t{1} << 30;

GpuCondition Well() {
  GpuCondition condition;
  condition.total_bytes = 80 * kGigabyte;
  condition.used_bytes = 5 << 20;
  return condition;
}

GpuVerdict Judge(const GpuCondition& condition, milliseconds busy_for = {}) {
  return JudgeFreeGpu(condition, GpuPolicy(), busy_for);
}

TEST(GpuConditionTest, AGpuThatIsWellAndEmptyIsUsable) {
  EXPECT_EQ(Judge(Well()), GpuVerdict());
  EXPECT_EQ(Judge(GpuCondition()), GpuVerdict()) << "nothing is known";
}

TEST(GpuConditionTest, WhatIsBrokenIsSickWhetherLeasedOrNot) {
  const struct {
    void (*break_it)(GpuCondition*);
    const char* reason;
  } cases[] = {
      {[](GpuCondition* gpu) { gpu->failure = "GPU is lost"; },
       "does not answer, as one that has fallen off the bus or needs a reset "
       "(NVML: GPU is lost)"},
      {[](GpuCondition* gpu) { gpu->needs_service = true; },
       "has bad memory that cannot be taken out of use"},
      {[](GpuCondition* gpu) { gpu->needs_reset = true; },
       "needs a reset, to take bad memory out of use"},
      {[](GpuCondition* gpu) { gpu->uncorrected_errors = 1; },
       "has had 1 uncorrectable memory error since its driver was loaded"}};
  for (const auto& test : cases) {
    GpuCondition condition = Well();
    test.break_it(&condition);
    const GpuVerdict sick{Kind::kSick, test.reason};
    EXPECT_EQ(Judge(condition), sick);
    EXPECT_EQ(JudgeLeasedGpu(condition), sick);
    EXPECT_EQ(JudgeFreeGpu(condition, {true}, {}), sick);
  }
}

TEST(GpuConditionTest, ProcessesThatNoTrialStartedKeepAFreeGpu) {
  GpuCondition condition = Well();
  condition.used_bytes = 20 * kGigabyte;
  condition.compute = {{41, "python3"}};
  EXPECT_EQ(Judge(condition),
            (GpuVerdict{Kind::kBusy,
                        "is used by process 41 (python3), which no trial "
                        "started"}));
  condition.compute = {{1, ""}, {2, "b"}, {3, "c"}, {4, "d"}};
  EXPECT_EQ(Judge(condition, seconds(3600)).reason,
            "is used by processes 1, 2 (b), 3 (c) and others, which no trial "
            "started");
  EXPECT_EQ(JudgeFreeGpu(condition, {true}, {}), GpuVerdict());
  EXPECT_EQ(JudgeLeasedGpu(condition), GpuVerdict()) << "they are its own";
}

TEST(GpuConditionTest, TheServerOfMpsIsNobodysProgram) {
  GpuCondition condition = Well();
  condition.compute = {{9, "nvidia-cuda-mps"}};
  condition.used_bytes = kGigabyte;
  EXPECT_EQ(Judge(condition), GpuVerdict());
}

TEST(GpuConditionTest, MemoryThatNobodyOwnsIsWaitedForForAWhile) {
  GpuCondition condition = Well();
  condition.used_bytes = 20 * kGigabyte;
  EXPECT_EQ(
      Judge(condition),
      (GpuVerdict{Kind::kBusy, "has 20.0 GB in use that no process owns"}));
  EXPECT_EQ(Judge(condition, seconds(60)),
            (GpuVerdict{Kind::kSick,
                        "has 20.0 GB in use that no process owns, and may "
                        "need a reset"}));
  condition.has_graphics = true;
  EXPECT_EQ(Judge(condition), GpuVerdict()) << "a screen's";
  condition.has_graphics = false;
  condition.used_bytes = 700 << 20;
  EXPECT_EQ(Judge(condition), GpuVerdict()) << "less than a hundredth";
}

}  // namespace
}  // namespace vernier
