#include "trials/limits/study_limits.h"

#include <gtest/gtest.h>

#include "tests/trials/study_builder.h"

namespace vernier {
namespace {

using std::chrono::seconds;

StudySpec WithLimits(const StudyLimits& limits, Goal goal = Goal::kMinimize) {
  JobSpec job = TuningSpec(9, 1);
  job.training_input.hyperparameters->goal = goal;
  job.vernier.limits = limits;
  return StudySpecOf(job);
}

TEST(StudyLimitsTest, CountsWhatEveryTrialHasUsed) {
  StudyBuilder study(TuningSpec(9, 2));
  study.Completed(0.5).With([](TrialRecord* trial) {
    trial->objective.last = FinalMeasurement{10, 0.5};
    trial->attempts.back().lasted = seconds(30);
    trial->attempts.back().devices = {"A", "B"};
  });
  study.Completed(0.25).With([](TrialRecord* trial) {
    trial->objective.last = FinalMeasurement{7, 0.25};
    trial->attempts.back().lasted = seconds(5);
  });
  study.Active().With([](TrialRecord* trial) {
    trial->objective.last = FinalMeasurement{3, 9};
    trial->attempts.back().devices = {"A"};
  });
  const StudyUse use = UseOf(study.Job(), {{study.KeyOf(3), seconds(4)}});
  EXPECT_EQ(use.best, 0.25);
  EXPECT_EQ(use.best_trial, TrialId{2});
  EXPECT_EQ(use.steps, 20);
  EXPECT_EQ(use.gpu_time, seconds(64));
}

TEST(StudyLimitsTest, EachLimitIsSaidWithItsNumbers) {
  StudyUse use;
  use.best = 0.5;
  use.best_trial = TrialId{3};
  use.steps = 20;
  use.gpu_time = seconds(64);
  use.ran_for = seconds(100);
  const auto reason = [&](const StudyLimits& limits) {
    const auto enough = ReachedLimit(WithLimits(limits), use, {{0.5}});
    return enough.has_value() ? enough->reason : "";
  };
  StudyLimits limits;
  EXPECT_EQ(reason(limits), "");
  limits.target = 0.49;
  EXPECT_EQ(reason(limits), "");
  limits.target = 0.5;
  EXPECT_EQ(reason(limits),
            "trial 3 has reached the target 0.5 (vernier.limits.target): loss "
            "= 0.5");
  limits = {};
  limits.max_time = seconds(101);
  EXPECT_EQ(reason(limits), "");
  limits.max_time = seconds(100);
  EXPECT_EQ(
      reason(limits),
      "the job has run for 1 min 40 s of 1 min 40 s (vernier.limits.maxTime)");
  limits = {};
  limits.max_steps = 21;
  EXPECT_EQ(reason(limits), "");
  limits.max_steps = 20;
  EXPECT_EQ(reason(limits),
            "its trials have trained 20 of 20 steps (vernier.limits.maxSteps)");
  limits = {};
  limits.max_gpu_time = seconds(65);
  EXPECT_EQ(reason(limits), "");
  limits.max_gpu_time = seconds(60);
  EXPECT_EQ(reason(limits),
            "its trials have used GPUs for 1 min 4 s of 1 min "
            "(vernier.limits.maxGpuTime)");
  limits = {};
  limits.no_progress = NoProgressLimit{10, 5};
  EXPECT_EQ(reason(limits), "") << "ten times 0.5";
  limits.no_progress = NoProgressLimit{9, 5};
  EXPECT_EQ(reason(limits),
            "the next 9 trials promise to improve loss by at most 4.5, which "
            "is less than 5 (vernier.limits.noProgress)");
  EXPECT_FALSE(ReachedLimit(WithLimits(limits), use, {}).has_value());
}

TEST(StudyLimitsTest, ATargetIsReachedFromItsSide) {
  StudyUse use;
  use.best = 0.9;
  StudyLimits limits;
  limits.target = 0.8;
  EXPECT_TRUE(
      ReachedLimit(WithLimits(limits, Goal::kMaximize), use, {}).has_value());
  EXPECT_FALSE(ReachedLimit(WithLimits(limits), use, {}).has_value());
}

}  // namespace
}  // namespace vernier
