#include "trials/failure_policy.h"

#include <gtest/gtest.h>

#include "tests/trials/study_builder.h"

namespace vernier {
namespace {

std::optional<std::string> Judge(int max_failed_trials, TrialTally tally,
                                 std::int64_t failed_trial) {
  JobSpec spec = TuningSpec(100, 1);
  spec.training_input.hyperparameters->max_failed_trials = max_failed_trials;
  const StudyBuilder study{spec};
  TrialRecord trial;
  trial.id = TrialId{failed_trial};
  trial.parameters = {{"x", 0.5}};
  trial.message = "boom";
  return JobFailure(study.Build().job, tally, trial);
}

TEST(FailurePolicyTest, ByDefaultAFirstFailureEndsTheJob) {
  EXPECT_EQ(Judge(0, {0, 1}, 1),
            "Hyperparameter Tuning Trial #1 Failed before any other successful "
            "trials were completed. The failed trial had parameters: x=0.5. "
            "The trial's error message was: boom");
}

TEST(FailurePolicyTest, ByDefaultALaterFailureDoesNot) {
  EXPECT_EQ(Judge(0, {0, 1}, 2), std::nullopt);
  EXPECT_EQ(Judge(0, {1, 1}, 1), std::nullopt);
}

TEST(FailurePolicyTest, ByDefaultMostlyFailuresEndTheJob) {
  EXPECT_EQ(Judge(0, {3, 4}, 9), std::nullopt);
  EXPECT_EQ(Judge(0, {5, 5}, 9), std::nullopt);
  EXPECT_NE(Judge(0, {4, 5}, 9), std::nullopt);
}

TEST(FailurePolicyTest, AnExplicitLimitCounts) {
  EXPECT_EQ(Judge(3, {0, 2}, 1), std::nullopt);
  EXPECT_NE(Judge(3, {50, 3}, 60), std::nullopt);
}

TEST(FailurePolicyTest, PackagesThatCannotBeInstalledEndTheJobAtOnce) {
  JobSpec spec = TuningSpec(100, 1);
  spec.training_input.hyperparameters->max_failed_trials = 50;
  TrialRecord trial;
  trial.id = TrialId{2};
  trial.message = "pip says no";
  trial.end_cause = TrialEndCause::kLaunchFailed;
  const auto judge = [&](TrialTally tally) {
    return JobFailure(StudyBuilder{spec}.Build().job, tally, trial);
  };
  EXPECT_EQ(judge({0, 1}), std::nullopt);
  spec.training_input.package_uris = {"/srv/a.whl"};
  EXPECT_EQ(judge({0, 1}), "pip says no");
  EXPECT_EQ(judge({1, 1}), std::nullopt);
  trial.end_cause = TrialEndCause::kUserError;
  EXPECT_EQ(judge({0, 1}), std::nullopt);
}

TEST(FailurePolicyTest, NanDoesNotCountAsFailure) {
  EXPECT_FALSE(CountsAsFailed(TrialEndCause::kNotFinite));
  EXPECT_TRUE(CountsAsSucceeded(TrialEndCause::kNotFinite));
  EXPECT_FALSE(CountsAsFailed(TrialEndCause::kCancelled));
  EXPECT_FALSE(CountsAsSucceeded(TrialEndCause::kCancelled));
}

}  // namespace
}  // namespace vernier
