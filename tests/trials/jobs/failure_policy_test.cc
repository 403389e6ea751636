#include "trials/jobs/failure_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/trials/study_builder.h"

namespace vernier {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using Cause = TrialEndCause;

constexpr milliseconds kInstant{10000};

/// A trial that has ended.
TrialRecord Ended(std::int64_t id, Cause cause = Cause::kUserError) {
  TrialRecord trial;
  trial.id = TrialId{id};
  trial.parameters = {{"x", 0.5}};
  trial.message = "boom";
  trial.end_cause = cause;
  return trial;
}

struct Rules {
  int max_failed_trials = 0;
  std::optional<int> max_consecutive_failures = std::nullopt;
};

std::optional<std::string> Judge(const Rules& rules, TrialTally tally,
                                 const TrialRecord& last) {
  JobSpec spec = TuningSpec(100, 1);
  spec.training_input.hyperparameters->max_failed_trials =
      rules.max_failed_trials;
  spec.vernier.max_consecutive_failures = rules.max_consecutive_failures;
  return JobFailure(StudyBuilder(spec).Job(), tally, last);
}

/// The tally of trials that ended so, one after the other.
TrialTally Tally(const std::vector<Cause>& causes,
                 milliseconds lasted = std::chrono::minutes(5)) {
  TrialTally tally;
  for (const Cause cause : causes) CountEnd(cause, lasted, kInstant, &tally);
  return tally;
}

std::vector<Cause> Times(std::size_t count, Cause cause) {
  return std::vector<Cause>(count, cause);
}

TEST(FailurePolicyTest, ByDefaultAFirstFailureEndsTheJob) {
  EXPECT_EQ(Judge({}, {.failed = 1}, Ended(1)),
            "the first trial failed, and none had succeeded: mend the program "
            "and resume, or let the job go on after failures "
            "(vernier.maxConsecutiveFailures). What failed was trial 1 "
            "(x=0.5): boom");
}

TEST(FailurePolicyTest, AFirstTrialThatIsInfeasibleIsNoFailure) {
  EXPECT_EQ(Judge({}, {.infeasible = 1}, Ended(1, Cause::kInfeasible)),
            std::nullopt);
  EXPECT_EQ(Judge({}, {.infeasible = 1}, Ended(1, Cause::kOutOfMemory)),
            std::nullopt);
  EXPECT_EQ(
      Judge({}, {.failed = 2, .infeasible = 9}, Ended(9, Cause::kInfeasible)),
      std::nullopt);
}

TEST(FailurePolicyTest, ByDefaultALaterFailureDoesNot) {
  EXPECT_EQ(Judge({}, {.failed = 1}, Ended(2)), std::nullopt);
  EXPECT_EQ(Judge({}, {.succeeded = 1, .failed = 1}, Ended(1)), std::nullopt);
}

TEST(FailurePolicyTest, ByDefaultMostlyFailuresEndTheJob) {
  EXPECT_EQ(Judge({}, {.succeeded = 3, .failed = 4}, Ended(9)), std::nullopt);
  EXPECT_EQ(Judge({}, {.succeeded = 5, .failed = 5}, Ended(9)), std::nullopt);
  EXPECT_NE(Judge({}, {.succeeded = 4, .failed = 5}, Ended(9)), std::nullopt);
}

TEST(FailurePolicyTest, AnExplicitLimitCountsInfeasibleTrialsToo) {
  EXPECT_EQ(Judge({3}, {.failed = 1, .infeasible = 1}, Ended(1)), std::nullopt);
  EXPECT_NE(Judge({3}, {.succeeded = 50, .failed = 3}, Ended(60)),
            std::nullopt);
  EXPECT_NE(
      Judge({3}, {.failed = 2, .infeasible = 1}, Ended(3, Cause::kInfeasible)),
      std::nullopt);
  // It is the whole rule then.
  EXPECT_EQ(Judge({9, 1}, {.failed = 5, .failed_in_a_row = 5}, Ended(5)),
            std::nullopt);
}

TEST(FailurePolicyTest, FailuresInARowEndAJobThatLimitsThem) {
  TrialTally tally = Tally(Times(4, Cause::kUserError));
  EXPECT_EQ(Judge({0, 5}, tally, Ended(1)), std::nullopt);
  CountEnd(Cause::kTimeLimit, milliseconds(0), kInstant, &tally);
  EXPECT_EQ(Judge({0, 5}, tally, Ended(5)),
            "5 trials in a row failed (vernier.maxConsecutiveFailures allows "
            "fewer than 5). The last one was trial 5 (x=0.5): boom");
  EXPECT_EQ(Judge({0, 0}, tally, Ended(5)), std::nullopt) << "0: never";
}

TEST(FailurePolicyTest, ASuccessOrAnInfeasiblePointBreaksTheRow) {
  for (const Cause cause : {Cause::kSuccess, Cause::kInfeasible,
                            Cause::kNotFinite, Cause::kStoppedEarly}) {
    TrialTally tally = Tally(Times(4, Cause::kUserError));
    CountEnd(cause, milliseconds(0), kInstant, &tally);
    EXPECT_EQ(tally.failed_in_a_row, 0) << ToString(cause);
    EXPECT_EQ(tally.failed, 4);
  }
  TrialTally tally = Tally(Times(4, Cause::kUserError));
  CountEnd(Cause::kCancelled, milliseconds(0), kInstant, &tally);
  EXPECT_EQ(tally.failed_in_a_row, 4);
}

TEST(FailurePolicyTest, AMajorityOfFailuresEndsAJobThatLimitsTheRow) {
  const auto judge = [](int succeeded, int failed, int infeasible) {
    return Judge({0, 5},
                 {.succeeded = succeeded,
                  .failed = failed,
                  .infeasible = infeasible,
                  .failed_in_a_row = 1},
                 Ended(30));
  };
  EXPECT_EQ(judge(9, 10, 0), std::nullopt) << "too few to tell";
  EXPECT_EQ(judge(10, 10, 0), std::nullopt);
  EXPECT_EQ(judge(8, 11, 3), std::nullopt);
  ASSERT_NE(judge(9, 11, 0), std::nullopt);
  EXPECT_THAT(*judge(9, 11, 0), HasSubstr("11 of 20 trials failed"));
}

TEST(FailurePolicyTest, PackagesThatCannotBeInstalledEndTheJobAtOnce) {
  JobSpec spec = TuningSpec(100, 1);
  spec.training_input.hyperparameters->max_failed_trials = 50;
  TrialRecord trial = Ended(2, Cause::kLaunchFailed);
  const auto judge = [&](TrialTally tally) {
    return JobFailure(StudyBuilder{spec}.Job(), tally, trial);
  };
  EXPECT_EQ(judge({.failed = 1}), std::nullopt);
  spec.training_input.package_uris = {"/srv/a.whl"};
  EXPECT_EQ(judge({.failed = 1}), "boom");
  EXPECT_EQ(judge({.succeeded = 1, .failed = 1}), std::nullopt);
  trial.end_cause = Cause::kUserError;
  EXPECT_EQ(judge({.failed = 1}), std::nullopt);
}

TEST(FailurePolicyTest, NanDoesNotCountAsFailure) {
  EXPECT_FALSE(CountsAsFailed(Cause::kNotFinite));
  EXPECT_TRUE(CountsAsSucceeded(Cause::kNotFinite));
  EXPECT_FALSE(CountsAsFailed(Cause::kCancelled));
  EXPECT_FALSE(CountsAsSucceeded(Cause::kCancelled));
}

TEST(FailurePolicyTest, WhatEndedBeforeTheResumeIsForgiven) {
  StudyBuilder study(TuningSpec(9, 1));
  study.Failed()
      .Failed()
      .Completed(1)
      .Failed(Cause::kNoMetric)
      .Failed(Cause::kInfeasible);
  EXPECT_EQ(TallyOf(study.Job()).failed, 2);
  study.job().ended_before_resume = {{Cause::kUserError, 1},
                                     {Cause::kNoMetric, 1}};
  study.job().consecutive_failures = 3;
  study.job().consecutive_instant_failures = 2;
  const TrialTally tally = TallyOf(study.Job());
  EXPECT_EQ(tally.failed, 1);
  EXPECT_EQ(tally.succeeded, 1);
  EXPECT_EQ(tally.no_metric, 0);
  EXPECT_EQ(tally.infeasible, 1);
  EXPECT_EQ(tally.failed_in_a_row, 3);
  EXPECT_EQ(tally.instant_failures_in_a_row, 2);
}

class JobPauseTest : public testing::Test {
 protected:
  std::optional<std::string> Judge(const TrialTally& tally,
                                   const TrialRecord& last) {
    return JobPause(StudyBuilder(TuningSpec(100, 1)).Job(), tally, kInstant,
                    last);
  }
};

TEST_F(JobPauseTest, InstantFailuresInARowPauseWithTheLastWords) {
  const auto quick = [](std::size_t count) {
    return Tally(Times(count, Cause::kUserError), milliseconds(20));
  };
  EXPECT_EQ(Judge(quick(2), Ended(2)), std::nullopt);
  EXPECT_EQ(Judge(quick(3), Ended(3)),
            "paused after 3 trials in a row failed within 10 s of their start; "
            "mend the program and resume. The last one said: boom");
  EXPECT_EQ(Judge(Tally(Times(9, Cause::kUserError)), Ended(9)), std::nullopt)
      << "they ran for long";
  TrialTally has_worked = quick(9);
  has_worked.succeeded = 1;
  EXPECT_EQ(Judge(has_worked, Ended(10)), std::nullopt);
  ++has_worked.instant_failures_in_a_row;
  EXPECT_NE(Judge(has_worked, Ended(11)), std::nullopt);
}

TEST_F(JobPauseTest, TheSameErrorInARowPausesWithTheLastWords) {
  StudyBuilder study(TuningSpec(100, 1));
  const auto fails_with = [&study](const std::string& message) {
    study.Failed().With([&](TrialRecord* trial) {
      trial->message = message;
      trial->ended_at = Timestamp(std::chrono::seconds(ToInt(trial->id)));
    });
  };
  const auto judge = [&](std::size_t failures, int succeeded,
                         const std::string& message) {
    TrialTally tally = Tally(Times(failures, Cause::kUserError));
    tally.succeeded = succeeded;
    TrialRecord last = Ended(99);
    last.message = message;
    return JobPause(study.Job(), tally, kInstant, last);
  };
  fails_with("exit 1\nKeyError: 'lr' at 0x7f3a");
  fails_with("exit 1\nKeyError: 'lr' at 0x7f3b");
  EXPECT_EQ(judge(3, 0, "exit 1\nKeyError: 'lr' at 0x99ff\n"),
            "paused after 3 trials in a row failed with the same error; mend "
            "the program and resume. The last one said: exit 1\nKeyError: 'lr' "
            "at 0x99ff\n");
  EXPECT_EQ(judge(3, 0, "exit 1\nKeyError: 'units'"), std::nullopt);
  // The first of them was before the job was resumed.
  EXPECT_EQ(judge(2, 0, "KeyError: 'lr' at 0x1"), std::nullopt);
  // A space may have corners where a program fails.
  EXPECT_EQ(judge(3, 1, "KeyError: 'lr' at 0x1"), std::nullopt);
  for (int i = 0; i < 7; ++i) fails_with("KeyError: 'lr' at 0x2");
  EXPECT_NE(judge(10, 1, "KeyError: 'lr' at 0x1"), std::nullopt);
}

TEST_F(JobPauseTest, TheSignatureOfAnErrorIsItsLastLineWithoutNumbers) {
  EXPECT_EQ(ErrorSignature("a\nValueError: lr=0.125 is bad, 17 times\n\n"),
            "ValueError: lr=# is bad, # times");
  EXPECT_EQ(ErrorSignature("at 0x7fff5e3a"), "at #");
  EXPECT_EQ(ErrorSignature("\n \n"), "");
  EXPECT_EQ(ErrorSignature(""), "");
}

TEST_F(JobPauseTest, AMachineThatFailsTrialsPausesTheJobAndFailsNone) {
  TrialTally tally = Tally(Times(3, Cause::kInfrastructure));
  EXPECT_EQ(tally.failed, 0);
  EXPECT_EQ(Judge(tally, Ended(3, Cause::kInfrastructure)),
            "paused after 3 trials were given up by the machine's fault; mend "
            "it and resume. The last one said: boom");
  tally.succeeded = 3;
  EXPECT_EQ(Judge(tally, Ended(3, Cause::kInfrastructure)), std::nullopt);
  EXPECT_EQ(Judge(Tally(Times(2, Cause::kInfrastructure)),
                  Ended(2, Cause::kInfrastructure)),
            std::nullopt);
}

TEST_F(JobPauseTest, WhatEndsOtherwiseBreaksTheRowOfInstantFailures) {
  for (const Cause cause : {Cause::kSuccess, Cause::kInfeasible,
                            Cause::kNotFinite, Cause::kNoMetric}) {
    TrialTally tally = Tally(Times(2, Cause::kUserError), milliseconds(20));
    CountEnd(cause, milliseconds(20), kInstant, &tally);
    EXPECT_EQ(tally.instant_failures_in_a_row, 0) << ToString(cause);
  }
  for (const Cause cause :
       {Cause::kOutOfMemory, Cause::kInfrastructure, Cause::kCancelled}) {
    TrialTally tally = Tally(Times(2, Cause::kUserError), milliseconds(20));
    CountEnd(cause, milliseconds(20), kInstant, &tally);
    EXPECT_EQ(tally.instant_failures_in_a_row, 2) << ToString(cause);
  }
}

TEST_F(JobPauseTest, FirstTrialsWithoutTheObjectivePauseWithAdvice) {
  EXPECT_EQ(
      Judge(Tally(Times(2, Cause::kNoMetric)), Ended(2, Cause::kNoMetric)),
      std::nullopt);
  EXPECT_EQ(
      Judge(Tally(Times(3, Cause::kNoMetric)), Ended(3, Cause::kNoMetric)),
      "paused because 3 trials have ended well without a value of the metric "
      "and none with one. Have the program report \"loss\" "
      "(hyperparameterMetricTag), or correct hyperparameterMetricTag and run "
      "the job again. "
      "The last one: boom");
}

TEST_F(JobPauseTest, ATrialWithTheObjectiveShowsThatItsNameIsRight) {
  for (const Cause cause :
       {Cause::kSuccess, Cause::kNotFinite, Cause::kStoppedEarly}) {
    TrialTally tally = Tally({cause});
    for (int i = 0; i < 9; ++i) {
      CountEnd(Cause::kNoMetric, milliseconds(20), kInstant, &tally);
    }
    EXPECT_EQ(Judge(tally, Ended(10, Cause::kNoMetric)), std::nullopt)
        << ToString(cause);
  }
}

TEST_F(JobPauseTest, AJobWithoutTuningNeedsNoMetric) {
  EXPECT_EQ(JobPause(StudyBuilder(PlainSpec()).Job(),
                     Tally(Times(9, Cause::kNoMetric)), kInstant,
                     Ended(9, Cause::kNoMetric)),
            std::nullopt);
}

}  // namespace
}  // namespace vernier
