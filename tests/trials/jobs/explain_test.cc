#include "trials/jobs/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/trials/study_builder.h"
#include "trials/jobs/waits_for.h"

namespace vernier {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ExplainTest, EveryLiveStateSaysWhatItWaitsFor) {
  StudyBuilder study(TuningSpec(9, 4));
  study.job().state = JobState::kRunning;
  study.Requested()
      .Active(AttemptState::kIntended)
      .Active(AttemptState::kLaunching)
      .Active()
      .Stopping();
  for (TrialId id : study.Build().open) {
    EXPECT_NE(TrialWaitsFor(study.Build(), study.Build().trials.Get(id)), "")
        << ToInt(id);
  }
  EXPECT_EQ(JobWaitsFor(study.Job()), "4 running trials to end");
  EXPECT_EQ(TrialWaitsFor(study.Build(), study.Build().trials.Get(TrialId{4})),
            "its program to end");
}

TEST(ExplainTest, AFinalStateWaitsForNothing) {
  StudyBuilder study(TuningSpec(1, 1));
  study.job().state = JobState::kSucceeded;
  study.Completed(1);
  EXPECT_EQ(JobWaitsFor(study.Job()), "");
  EXPECT_EQ(TrialWaitsFor(study.Build(), study.Build().trials.Get(TrialId{1})),
            "");
}

TEST(ExplainTest, APausedJobGivesTheReason) {
  StudyBuilder study(TuningSpec(9, 1));
  study.job().wanted = JobWanted::kPause;
  study.job().wanted_reason = "paused after three failures";
  EXPECT_EQ(JobWaitsFor(study.Job()),
            "a resume: it is paused after three failures");
}

TEST(ExplainTest, ARetryOfAPausedJobWaitsForTheResume) {
  StudyBuilder study(TuningSpec(9, 2));
  study.job().state = JobState::kRunning;
  study.job().wanted = JobWanted::kPause;
  study.job().wanted_reason = "paused because it crashes";
  study.Active(AttemptState::kExited).Active();
  EXPECT_EQ(
      JobWaitsFor(study.Job()),
      "a resume: it is paused because it crashes, and 1 running trial to end; "
      "1 trial waits for the resume to be tried again");
  EXPECT_EQ(TrialWaitsFor(study.Build(), study.Build().trials.Get(TrialId{1})),
            "its job to be resumed, when attempt 2 of it is started; the job "
            "is paused because it crashes");
  StudyBuilder quiet(TuningSpec(9, 2));
  quiet.job().wanted = JobWanted::kPause;
  quiet.job().wanted_reason = "paused because it crashes";
  quiet.Active(AttemptState::kExited).Requested();
  EXPECT_EQ(
      JobWaitsFor(quiet.Job()),
      "a resume: it is paused because it crashes; 2 trials wait for the resume "
      "to be tried again");
}

TEST(ExplainTest, ARunningJobWithoutItsMetricSaysSo) {
  StudyBuilder study(TuningSpec(9, 2));
  study.job().state = JobState::kRunning;
  study.Failed(TrialEndCause::kNoMetric).Active();
  EXPECT_THAT(ExplainJob(study.Build()),
              HasSubstr("1 trial has ended without a value of the metric "
                        "\"loss\", and none with one. Trial 1: it broke\n"));
  study.job().error_message = "why it ended";
  EXPECT_THAT(ExplainJob(study.Build()), Not(HasSubstr("and none with one")));
}

TEST(ExplainTest, ATrialSaysWhatOfItsReportsCouldNotBeTaken) {
  StudyBuilder study(TuningSpec(9, 2));
  study.Active().With([](TrialRecord* trial) {
    trial->metric_problems = {"no JSON: accuracy=0.9"};
  });
  EXPECT_THAT(ExplainTrial(study.Build(), study.Build().trials.Get(TrialId{1})),
              HasSubstr("Of its reports: no JSON: "
                        "accuracy=0.9\n"));
}

TEST(ExplainTest, AJobIsToldWithItsBestTrial) {
  StudyBuilder study(TuningSpec(4, 2));
  study.job().state = JobState::kRunning;
  study.job().ignored_fields = {"trainingInput.network"};
  study.Completed(0.5).Failed().Active();
  EXPECT_EQ(ExplainJob(study.Build()),
            "Job job runs.\n"
            "It waits for 1 running trial to end.\n"
            "3 of 4 trials created, at most 2 at a time; 1 has yet to end.\n"
            "  1 ended well\n"
            "  1 failed by an error of the program\n"
            "Best so far: trial 1 with 0.5 (x=0.5).\n"
            "Has no effect here: trainingInput.network\n");
}

TEST(ExplainTest, AnEarlyStopIsToldWithItsReasonFromTheDecisionOn) {
  StudyBuilder study(TuningSpec(4, 2));
  study.Stopping(TrialEndCause::kStoppedEarly).With([](TrialRecord* trial) {
    trial->message = "The median rule stopped it at step 2.";
    trial->origin.suggester = "DEFAULT";
  });
  EXPECT_EQ(ExplainTrial(study.Build(), study.Build().trials.Get(TrialId{1})),
            "Trial 1 of job job is stopping.\n"
            "It waits for its program to end, which was asked to "
            "(stopped early).\n"
            "The median rule stopped it at step 2.\n"
            "Parameters: x=0.5\n"
            "It was chosen by the algorithm DEFAULT.\n"
            "Attempt 1: running, waits for its program to end, which was "
            "asked to (stopped early).\n");
}

TEST(ExplainTest, ATrialIsToldWithItsAttempts) {
  StudyBuilder study(TuningSpec(4, 2));
  study.Failed().With([](TrialRecord* trial) {
    trial->attempts.back().exit_code = 3;
    trial->attempts.back().end_cause = TrialEndCause::kUserError;
    trial->attempts.back().lasted = std::chrono::milliseconds(1500);
    trial->origin.suggester = "DEFAULT";
    trial->origin.record.emplace();
    trial->origin.record->method = SuggestionMethod::kDesign;
  });
  EXPECT_EQ(
      ExplainTrial(study.Build(), study.Build().trials.Get(TrialId{1})),
      "Trial 1 of job job is failed.\n"
      "Its program failed, which counts as a failed trial.\n"
      "it broke\n"
      "Parameters: x=0.5\n"
      "It is one of the points that are spread evenly over the space, without "
      "a model of the objective.\n"
      "Attempt 1: exited with status 3 (user error) after 1.5 s.\n");
}

TEST(ExplainTest, ATrialSaysWhereOthersDied) {
  StudyBuilder study(TuningSpec(40, 2));
  for (int i = 0; i < 20; ++i) {
    if (i < 14) {
      study.Completed(0.5);
    } else {
      study.Failed(TrialEndCause::kOutOfMemory);
    }
    study.With([&](TrialRecord* trial) {
      trial->parameters = {{"x", i / 20.0}};
    });
  }
  study.Active();
  EXPECT_THAT(
      ExplainTrial(study.Build(), study.Build().trials.Get(TrialId{21})),
      HasSubstr("So far 6 of 6 trials with x above 0.67 ran out of memory, and "
                "0 of 14 others; this one has 0.5.\n"));
}

TEST(ExplainTest, AJobTellsOfThePointsThatWait) {
  StudyBuilder study(TuningSpec(9, 1));
  study.job().state = JobState::kRunning;
  study.Active().Queued(0.25);
  EXPECT_THAT(
      ExplainJob(study.Build()),
      HasSubstr("1 point given by hand waits; trial 2 will be (x=0.25)"));
  study.Queued(0.75);
  EXPECT_THAT(
      ExplainJob(study.Build()),
      HasSubstr("2 points given by hand wait; trial 2 will be (x=0.25)"));
}

TEST(ExplainTest, AJobTellsOfThePointsThatAreProposed) {
  StudyBuilder study(TuningSpec(9, 1));
  study.job().state = JobState::kRunning;
  study.Active().Proposed("me", 0.25).Proposed("you", 0.6).Proposed("me", 0.75);
  EXPECT_THAT(ExplainJob(study.Build()),
              HasSubstr("2 points proposed by \"me\" wait until \"me\" is "
                        "trusted more than the search itself.\n"
                        "1 point proposed by \"you\" waits until"));
}

TEST(ExplainTest, ATrialGivenByHandSaysSo) {
  StudyBuilder study(TuningSpec(9, 1));
  study.Active().With([](TrialRecord* trial) {
    trial->origin.suggester = "USER";
    trial->origin.record.emplace();
    trial->origin.record->method = SuggestionMethod::kUser;
  });
  const StudySnapshot& built = study.Build();
  const std::string text = ExplainTrial(built, built.trials.Get(TrialId{1}));
  EXPECT_THAT(text, HasSubstr("It was given by hand.\n"));
  EXPECT_THAT(text, Not(HasSubstr("chosen by")));
  EXPECT_THAT(text, Not(HasSubstr("result")));
}

TEST(ExplainTest, APauseIsNamedOnce) {
  StudyBuilder study(TuningSpec(9, 2));
  study.job().wanted = JobWanted::kPause;
  study.job().wanted_reason = "paused by the user";
  study.Active(AttemptState::kExited);
  EXPECT_EQ(JobWaitsFor(study.Job()).substr(0, 42),
            "a resume: it is paused by the user; 1 tria");
  EXPECT_THAT(
      TrialWaitsFor(study.Build(), study.Build().trials.Get(TrialId{1})),
      testing::EndsWith("; the job is paused by the user"));
}

TEST(ExplainTest, WhatMayRunBeyondWhatWasAskedForIsOverWithTheJob) {
  StudyBuilder study(TuningSpec(9, 2));
  study.job().made_up_trials = 1;
  EXPECT_THAT(ExplainJob(study.Build()), HasSubstr("1 trial may run"));
  study.job().state = JobState::kSucceeded;
  EXPECT_THAT(ExplainJob(study.Build()), HasSubstr("1 trial could run"));
}

TEST(ExplainTest, ABestOfZeroHasNoSign) {
  StudyBuilder study(TuningSpec(9, 2));
  study.Completed(-0.0);
  EXPECT_THAT(ExplainJob(study.Build()), HasSubstr("trial 1 with 0 ("));
}

}  // namespace
}  // namespace vernier
