#include "trials/jobs/orchestrator.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>

#include "tests/trials/jobs/orchestrator_bed.h"
#include "tests/trials/study_builder.h"
#include "trials/jobs/explain.h"
#include "trials/jobs/waits_for.h"
#include "trials/stopping/study_curves.h"
#include "trials/submission/job_service.h"
#include "trials/user_attributes.h"

namespace vernier {
namespace {

class OrchestratorTest : public testing::Test, protected OrchestratorBed {
 protected:
  void Want(JobWanted wanted) {
    ASSERT_TRUE(
        store_
            .Commit({SetJobWanted{study_, wanted, WantedCause::kUser, "test"}},
                    clock_.Now())
            .ok());
  }
  /// The job's next version has this code, and `spec`.
  void Revise(const std::string& code_dir,
              const JobSpec& spec = TuningSpec(2, 1)) {
    ReviseJob change;
    change.study = study_;
    change.replaced_version = JobRunOf(*Study()).code_version;
    change.spec = std::make_shared<const JobSpec>(spec);
    change.code_dir = code_dir;
    change.max_trials = MaxTrials(spec);
    change.made_up_trials = 0;
    const absl::Status revised = store_.Commit({change}, clock_.Now());
    ASSERT_TRUE(revised.ok()) << revised;
  }
  void Report(const AttemptKey& attempt, std::int64_t step, double value) {
    metrics_.Report(attempt, {"loss", step, clock_.Now(), value});
  }
  /// Of seven trials, one at a time, five end with losses of 1 to 5; the sixth
  /// reports 9 and 8, and the orchestrator takes a step.
  void RunFiveAndABadOne() {
    JobSpec spec = TuningSpec(7, 1);
    spec.training_input.hyperparameters->enable_trial_early_stopping = true;
    Submit(spec);
    Start();
    Step();
    for (std::int64_t trial = 1; trial <= 5; ++trial) {
      Report(Key(trial), 1, static_cast<double>(trial));
      Report(Key(trial), 4, static_cast<double>(trial));
      Step();
      launcher_.Exit(Key(trial), 0);
      Step();
    }
    ASSERT_EQ(launcher_.Alive(), std::vector<AttemptKey>{Key(6)});
    Report(Key(6), 1, 9);
    Report(Key(6), 2, 8);
    Step();
  }
};

TEST_F(OrchestratorTest, RunsAJobFromSubmissionToItsBestTrial) {
  Submit(TuningSpec(4, 2));
  Start();
  Step();
  EXPECT_EQ(launcher_.Alive().size(), 2u);
  for (std::int64_t trial = 1; trial <= 4; ++trial) {
    Report(Key(trial), 1, 1.0 / static_cast<double>(trial));
    launcher_.Exit(Key(trial), 0);
    Step();
  }
  Step();
  EXPECT_EQ(JobRunOf(*Study()).state, JobState::kSucceeded);
  EXPECT_EQ(launcher_.max_alive(), 2);
  EXPECT_EQ(launcher_.started().size(), 4u);
  EXPECT_EQ(Trial(4).final_measurement, (FinalMeasurement{1, 0.25}));
}

TEST_F(OrchestratorTest, TheEndOfATrialStartsTheNextAtOnce) {
  Submit(TuningSpec(4, 1));
  Start();
  Step();
  launcher_.Exit(Key(1), 0);
  Step();
  EXPECT_EQ(launcher_.Alive(), std::vector<AttemptKey>{Key(2)});
}

// A model that did not know the last result would be a step behind for ever.
TEST_F(OrchestratorTest, ASuggestionKnowsTheResultThatMadeRoomForIt) {
  Submit(TuningSpec(4, 1));
  Start();
  Step();
  for (std::int64_t trial = 1; trial <= 3; ++trial) {
    Report(Key(trial), 1, 0.5);
    launcher_.Exit(Key(trial), 0);
    Step();
    const auto record = Trial(trial + 1).origin.record;
    ASSERT_TRUE(record.has_value());
    EXPECT_EQ(record->num_completed, trial);
    EXPECT_EQ(record->num_pending, 0);
  }
}

// Without a model there is nothing to wait for.
TEST_F(OrchestratorTest,
       WithoutAModelTheEndOfATrialStartsTheNextInTheSameStep) {
  JobSpec spec = TuningSpec(4, 1);
  spec.vernier.algorithm = Algorithm::kRandomSearch;
  Submit(spec);
  Start();
  Step();
  launcher_.Exit(Key(1), 0);
  ASSERT_TRUE(orchestrator_->Step().ok());
  EXPECT_EQ(launcher_.Alive(), std::vector<AttemptKey>{Key(2)});
  EXPECT_EQ(Trial(2).origin.record->num_pending, 0) << "it looked at none";
}

TEST_F(OrchestratorTest, TheLastReportIsReadAfterTheExit) {
  Submit(TuningSpec(2, 1));
  Start();
  Step();
  metrics_.HoldUntilFinal(Key(1));
  Report(Key(1), 19, 0.125);
  launcher_.Exit(Key(1), 0);
  Step();
  EXPECT_EQ(Trial(1).final_measurement, (FinalMeasurement{19, 0.125}));
  EXPECT_EQ(metrics_.final_reads(), std::vector<AttemptKey>{Key(1)});
}

TEST_F(OrchestratorTest, AnEndWaitsForItsLastReport) {
  Submit(TuningSpec(2, 1));
  Start();
  Step();
  metrics_.HoldUntilFinal(Key(1));
  Report(Key(1), 19, 0.125);
  launcher_.Exit(Key(1), 0);
  // Descriptors are used up; then the disk has no room for the report.
  metrics_.FailNextReads(1);
  Step();
  EXPECT_EQ(Trial(1).state, TrialState::kActive);
  store_.FailNextWrite(absl::ResourceExhaustedError("full"));
  Step();
  EXPECT_EQ(Trial(1).state, TrialState::kActive);
  Step();
  EXPECT_EQ(Trial(1).final_measurement, (FinalMeasurement{19, 0.125}));
}

TEST_F(OrchestratorTest, AnEndWaitsForWhatIsBeingReadElsewhere) {
  Submit(TuningSpec(2, 1));
  Start();
  Step();
  Report(Key(1), 19, 0.125);
  launcher_.Exit(Key(1), 0);
  metrics_.DelayNextReads(1);
  const auto wait = orchestrator_->Step();
  ASSERT_TRUE(wait.ok());
  EXPECT_GT(wait->count(), 0) << "it does not step again and again";
  EXPECT_EQ(Trial(1).state, TrialState::kActive);
  Step();
  EXPECT_EQ(Trial(1).final_measurement, (FinalMeasurement{19, 0.125}));
}

TEST_F(OrchestratorTest, ARestartAdoptsWhatRunsAndStartsNothingTwice) {
  Submit(TuningSpec(6, 3));
  Start();
  Step();
  Restart();
  Step(3);
  EXPECT_EQ(launcher_.started().size(), 3u);
  EXPECT_EQ(launcher_.Alive().size(), 3u);
  Report(Key(2), 1, 0.5);
  launcher_.Exit(Key(2), 0);
  Restart();
  Step(2);
  EXPECT_EQ(Trial(2).state, TrialState::kCompleted);
  EXPECT_EQ(launcher_.max_alive(), 3);
}

TEST_F(OrchestratorTest, AnIntentThatWasNeverActedOnIsReplaced) {
  Submit(TuningSpec(1, 1));
  // The service died between the commit and the launch.
  ASSERT_TRUE(store_
                  .Commit({CreateTrials{study_, {{{{"x", 0.5}}, {}}}},
                           IntendLaunch{Key(1), "dead", {}}},
                          clock_.Now())
                  .ok());
  Start();
  Step(3);
  EXPECT_EQ(launcher_.Alive(), std::vector<AttemptKey>{Key(1, 2)});
  EXPECT_EQ(Trial(1).attempts[0].state, AttemptState::kLost);
  EXPECT_EQ(launcher_.StartsOf("dead"), 0);
}

TEST_F(OrchestratorTest, ALostAnswerDoesNotDoubleTheLaunch) {
  Submit(TuningSpec(1, 1));
  launcher_.LoseNextAnswers(1, absl::UnavailableError("no answer"));
  Start();
  Step(4);
  EXPECT_EQ(launcher_.started().size(), 1u);
  EXPECT_EQ(Trial(1).attempts.size(), 1u);
}

TEST_F(OrchestratorTest, ALaunchThatFailsForNowIsTriedAgain) {
  Submit(TuningSpec(1, 1));
  launcher_.FailNextLaunches(2, absl::ResourceExhaustedError("no room"));
  Start();
  Step();
  EXPECT_TRUE(launcher_.Alive().empty());
  Step(3);
  EXPECT_EQ(launcher_.Alive(), std::vector<AttemptKey>{Key(1)});
}

TEST_F(OrchestratorTest, ALostMachineIsRetriedWithTheSameParameters) {
  Submit(TuningSpec(2, 1));
  Start();
  Step(2);
  const Parameters before = Trial(1).parameters;
  launcher_.Lose(Key(1));
  Step();
  EXPECT_TRUE(launcher_.Alive().empty()) << "what broke may need a while";
  clock_.Advance(std::chrono::milliseconds(4999));
  Step();
  EXPECT_TRUE(launcher_.Alive().empty());
  clock_.Advance(std::chrono::milliseconds(1));
  Step();
  EXPECT_EQ(launcher_.Alive(), std::vector<AttemptKey>{Key(1, 2)});
  EXPECT_EQ(Trial(1).parameters, before);
  EXPECT_EQ(launcher_.started()[0].restart_count, 0);
  EXPECT_EQ(launcher_.started()[1].parameters, before);
  EXPECT_EQ(launcher_.started()[1].restart_count, 1);
}

TEST_F(OrchestratorTest, TheWaitForARetryIsNotSleptOver) {
  Submit(TuningSpec(2, 1));
  Start();
  Step(2);
  launcher_.Lose(Key(1));
  Step();
  clock_.Advance(std::chrono::milliseconds(4900));
  const auto wait = orchestrator_->Step();
  ASSERT_TRUE(wait.ok());
  EXPECT_EQ(*wait, std::chrono::milliseconds(100));
}

TEST_F(OrchestratorTest, WordsOfAProgramBecomeUtf8) {
  Submit(TuningSpec(1, 1));
  Start();
  Step();
  AttemptObservation end;
  end.attempt = Key(1);
  end.kind = AttemptObservation::Kind::kEnded;
  end.exit_code = 3;
  end.message = "caf\xe9";
  launcher_.End(end);
  Step();
  const std::string& message = Trial(1).message;
  EXPECT_NE(message.find("caf\uFFFD"), std::string::npos) << message;
}

TEST_F(OrchestratorTest, ALaunchThatIsRefusedSaysWhy) {
  Hindrances hindrances;
  launcher_.FailNextLaunches(2, absl::ResourceExhaustedError("no room"));
  Submit(TuningSpec(2, 1));
  Start(nullptr, &hindrances);
  Step();
  EXPECT_EQ(hindrances.Of(study_).launch, "no room");
  EXPECT_EQ(TrialWaitsFor(*Study(), Trial(1), hindrances.Of(study_)),
            "its program to be started; the last try failed: no room");
  Step(2);
  EXPECT_EQ(hindrances.Of(study_).launch, "");
}

TEST_F(OrchestratorTest, AServiceThatDrainsPreemptsAndTheNextGoesOn) {
  Submit(TuningSpec(4, 2));
  Start();
  Step();
  EXPECT_EQ(launcher_.Alive().size(), 2u);
  orchestrator_->Drain();
  EXPECT_FALSE(orchestrator_->is_drained());
  Step(2);
  EXPECT_TRUE(orchestrator_->is_drained());
  EXPECT_TRUE(launcher_.Alive().empty());
  EXPECT_EQ(Trial(1).attempts[0].end_cause, TrialEndCause::kPreempted);
  EXPECT_EQ(Trial(1).state, TrialState::kActive);
  Restart();
  Step();
  EXPECT_EQ(launcher_.Alive(), (std::vector<AttemptKey>{Key(1, 2), Key(2, 2)}));
  EXPECT_EQ(launcher_.started().back().restart_count, 1);
  EXPECT_EQ(JobRunOf(*Study()).consecutive_failures, 0);
}

TEST_F(OrchestratorTest, ARetryRunsTheNewestVersion) {
  Submit(TuningSpec(2, 1));
  Start();
  Step();
  Revise("/code/2");
  launcher_.Lose(Key(1));
  Step();
  clock_.Advance(std::chrono::seconds(5));
  Step();
  ASSERT_EQ(launcher_.started().size(), 2u);
  EXPECT_EQ(launcher_.started()[0].code_dir, "");
  EXPECT_EQ(launcher_.started()[0].code_version, 1);
  EXPECT_EQ(launcher_.started()[1].code_dir, "/code/2");
  EXPECT_EQ(launcher_.started()[1].code_version, 2);
  EXPECT_EQ(Trial(1).attempts[1].code_version, 2);
}

TEST_F(OrchestratorTest, ARestartStartsRunningTrialsAgainAndCostsNoRetry) {
  JobSpec spec = TuningSpec(2, 2);
  spec.vernier.retry.max_infrastructure_retries = 0;
  Submit(spec);
  Start();
  Step();
  Revise("/code/2", spec);
  ASSERT_TRUE(store_.Commit({RestartOutdated{study_}}, {}).ok());
  Step(3);
  EXPECT_EQ(launcher_.Alive(), (std::vector<AttemptKey>{Key(1, 2), Key(2, 2)}));
  EXPECT_EQ(launcher_.started()[2].code_dir, "/code/2");
  EXPECT_EQ(Trial(1).state, TrialState::kActive);
  EXPECT_EQ(JobRunOf(*Study()).consecutive_instant_failures, 0);
}

TEST_F(OrchestratorTest, ALaunchThatWaitsKeepsItsVersion) {
  launcher_.FailNextLaunches(2, absl::ResourceExhaustedError("no room"));
  Submit(TuningSpec(2, 1));
  Start();
  Step();
  Revise("/code/2");
  Step(2);
  ASSERT_EQ(launcher_.started().size(), 1u);
  EXPECT_EQ(launcher_.started()[0].code_version, 1);
  EXPECT_EQ(launcher_.started()[0].code_dir, "");
}

TEST_F(OrchestratorTest, FailuresOfAnEarlierVersionDoNotFailTheJob) {
  JobSpec spec = TuningSpec(4, 1);
  spec.training_input.hyperparameters->max_failed_trials = 2;
  Submit(spec);
  Start();
  Step();
  launcher_.Exit(Key(1), 1, std::chrono::seconds(60));
  Step();
  Revise("/code/2", spec);
  launcher_.Exit(Key(2), 1, std::chrono::seconds(60));
  Step();
  launcher_.Exit(Key(3), 1, std::chrono::seconds(60));
  Step();
  EXPECT_EQ(JobRunOf(*Study()).state, JobState::kRunning)
      << "one failure of the new version: " << JobRunOf(*Study()).wanted_reason;
}

TEST_F(OrchestratorTest, CancelEndsEverything) {
  Submit(TuningSpec(9, 3));
  Start();
  Step();
  Want(JobWanted::kStop);
  Step(3);
  EXPECT_EQ(JobRunOf(*Study()).state, JobState::kCancelled);
  EXPECT_TRUE(launcher_.Alive().empty());
  EXPECT_EQ(Trial(1).state, TrialState::kStopped);
  EXPECT_EQ(Trial(1).end_cause, TrialEndCause::kCancelled);
  EXPECT_EQ(launcher_.kills().size(), 3u) << "each is asked once";
}

TEST_F(OrchestratorTest, AKillIsAskedForAgainAfterARestart) {
  launcher_.set_obeys_kill(false);
  Submit(TuningSpec(9, 1));
  Start();
  Step();
  Want(JobWanted::kStop);
  Step(3);
  EXPECT_EQ(launcher_.kills().size(), 1u);
  Restart();
  Step(2);
  EXPECT_EQ(launcher_.kills().size(), 2u);
}

TEST_F(OrchestratorTest, ATrialOfNoPromiseIsStoppedAndKeepsItsLastValue) {
  RunFiveAndABadOne();
  EXPECT_EQ(Trial(6).state, TrialState::kStopping);
  EXPECT_EQ(launcher_.kills(), std::vector<AttemptKey>{Key(6)});
  Report(Key(6), 3, 8.5);  // In its grace time.
  Step();
  EXPECT_EQ(Trial(6).state, TrialState::kStopped);
  EXPECT_EQ(Trial(6).end_cause, TrialEndCause::kStoppedEarly);
  EXPECT_EQ(Trial(6).final_measurement, (FinalMeasurement{3, 8.5}));
  EXPECT_EQ(Trial(6).message,
            "The median rule stopped it at step 2: its best value so far, 8, "
            "is above 3, the median of what 5 earlier trials had on average by "
            "then.");
  EXPECT_EQ(Trial(6).attempts.size(), 1u);
  EXPECT_EQ(launcher_.Alive(), std::vector<AttemptKey>{Key(7)});
  Report(Key(7), 1, 0.5);
  launcher_.Exit(Key(7), 0);
  Step(2);
  EXPECT_EQ(JobRunOf(*Study()).state, JobState::kSucceeded);
}

TEST_F(OrchestratorTest, AStopThatWasDecidedIsMadeAfterARestart) {
  // The service dies after the decision is stored, before the kill is sent.
  launcher_.FailNextKills(1, absl::UnavailableError("killed"));
  RunFiveAndABadOne();
  EXPECT_TRUE(launcher_.kills().empty());
  const TrialRecord decided = Trial(6);
  EXPECT_EQ(decided.state, TrialState::kStopping);
  Restart();
  Step();
  EXPECT_EQ(launcher_.kills(), std::vector<AttemptKey>{Key(6)});
  Step();
  EXPECT_EQ(Trial(6).state, TrialState::kStopped);
  EXPECT_EQ(Trial(6).end_cause, TrialEndCause::kStoppedEarly);
  EXPECT_EQ(Trial(6).final_measurement, (FinalMeasurement{2, 8}));
  EXPECT_EQ(Trial(6).message, decided.message);
}

TEST_F(OrchestratorTest, ATrialIsPausedAndResumedInPlaceOfANewOne) {
  JobSpec spec = TuningSpec(4, 1);
  spec.vernier.early_stopping = StoppingRule::kAsha;
  spec.vernier.early_stopping_options.min_steps = 1;
  spec.vernier.early_stopping_options.max_steps = 9;
  spec.vernier.can_resume = true;
  Submit(spec);
  Start();
  Step();
  for (const std::int64_t trial : {1, 2}) {
    Report(Key(trial), 1, trial == 1 ? 3 : 5);
    Step(2);
    EXPECT_TRUE(IsPaused(Trial(trial)));
    EXPECT_EQ(Trial(trial).attempts.back().end_cause,
              TrialEndCause::kStoppedEarly);
    EXPECT_EQ(launcher_.Alive(), std::vector<AttemptKey>{Key(trial + 1)})
        << "its slot goes to a new trial";
  }
  const std::string why = ExplainTrial(*Study(), Trial(1));
  EXPECT_NE(why.find("It waits for the stopping rule to resume it"),
            std::string::npos)
      << why;
  EXPECT_NE(why.find("(paused)"), std::string::npos) << why;
  EXPECT_NE(why.find("ASHA paused it at step 1: "), std::string::npos) << why;
  EXPECT_NE(ExplainJob(*Study()).find("3 have yet to end, 2 of them paused."),
            std::string::npos);

  Restart();  // The paused ones are known to the store alone.
  Report(Key(3), 1, 4);
  Step(2);
  EXPECT_EQ(launcher_.Alive(), (std::vector<AttemptKey>{Key(1, 2)}))
      << "the best of three goes on";
  EXPECT_EQ(launcher_.started().back().restart_count, 1);
  EXPECT_EQ(Trial(1).attempts.back().message.substr(0, 27),
            "ASHA resumes it at step 1: ");
  EXPECT_EQ(Study()->trials.size(), 3u);
  Report(Key(1, 2), 9, 2);
  Step();
  launcher_.Exit(Key(1, 2), 0);
  Step();
  EXPECT_EQ(Trial(1).final_measurement, (FinalMeasurement{9, 2}));
  EXPECT_EQ(launcher_.Alive(), std::vector<AttemptKey>{Key(4)});
  Report(Key(4), 9, 1);
  Step();
  launcher_.Exit(Key(4), 0);
  Step(2);
  EXPECT_EQ(JobRunOf(*Study()).state, JobState::kSucceeded);
  for (const std::int64_t trial : {2, 3}) {
    EXPECT_EQ(Trial(trial).end_cause, TrialEndCause::kStoppedEarly);
    EXPECT_EQ(Trial(trial).final_measurement,
              (FinalMeasurement{1, trial == 2 ? 5.0 : 4.0}));
    EXPECT_EQ(Trial(trial).attempts.size(), 1u);
  }
  EXPECT_EQ(Trial(2).message.substr(0, 26), "ASHA paused it at step 1: ");
}

TEST_F(OrchestratorTest, ATargetEndsTheJobAsSucceeded) {
  JobSpec spec = TuningSpec(9, 2);
  spec.vernier.limits.target = 0.5;
  spec.vernier.algorithm = Algorithm::kRandomSearch;  // It waits for nothing.
  Submit(spec);
  Start();
  Step();
  Report(Key(1), 1, 0.4);
  Report(Key(2), 1, 0.9);
  Step();
  launcher_.Exit(Key(1), 0);
  Step(3);
  EXPECT_EQ(JobRunOf(*Study()).state, JobState::kSucceeded);
  EXPECT_EQ(Study()->trials.size(), 2u);
  EXPECT_EQ(Trial(2).end_cause, TrialEndCause::kStoppedEarly);
  EXPECT_EQ(Trial(2).final_measurement, (FinalMeasurement{1, 0.9}));
  EXPECT_NE(ExplainJob(*Study()).find(
                "It has done enough: trial 1 has reached the target 0.5 "
                "(vernier.limits.target): loss = 0.4."),
            std::string::npos)
      << ExplainJob(*Study());
}

TEST_F(OrchestratorTest, ABudgetOfTimeEndsTheJobAsSucceeded) {
  JobSpec spec = TuningSpec(9, 1);
  spec.vernier.limits.max_time = std::chrono::seconds(60);
  spec.vernier.algorithm = Algorithm::kRandomSearch;
  Submit(spec);
  Start();
  Step();
  launcher_.SetRunning(Key(1));
  Step();
  Report(Key(1), 1, 0.4);
  clock_.Advance(std::chrono::seconds(59));
  Step(2);
  EXPECT_EQ(JobRunOf(*Study()).state, JobState::kRunning);
  EXPECT_EQ(launcher_.Alive().size(), 1u);
  clock_.Advance(std::chrono::seconds(2));
  Step(3);
  EXPECT_EQ(JobRunOf(*Study()).state, JobState::kSucceeded);
  EXPECT_EQ(Trial(1).end_cause, TrialEndCause::kStoppedEarly);
  EXPECT_NE(ExplainJob(*Study()).find("(vernier.limits.maxTime)"),
            std::string::npos)
      << ExplainJob(*Study());
}

TEST_F(OrchestratorTest, WithoutProgressTheJobSucceeds) {
  JobSpec spec = TuningSpec(99, 1);
  spec.vernier.limits.no_progress = NoProgressLimit{10, 0.5};
  Submit(spec);
  Start();
  for (int trial = 1; trial <= 10; ++trial) {
    Step();
    // All but the last end alike, so that nothing much is to be expected.
    Report(Key(trial), 1, trial == 10 ? 0.3 : 0.3 + 0.001 * trial);
    Step();
    EXPECT_EQ(JobRunOf(*Study()).state, JobState::kRunning) << trial;
    launcher_.Exit(Key(trial), 0);
  }
  Step(3);
  EXPECT_EQ(JobRunOf(*Study()).state, JobState::kSucceeded);
  EXPECT_EQ(Study()->trials.size(), 10u);
  EXPECT_NE(ExplainJob(*Study()).find("(vernier.limits.noProgress)"),
            std::string::npos)
      << ExplainJob(*Study());
}

TEST_F(OrchestratorTest, ATrialThatFinishesBeforeItsStopReachesItHasFinished) {
  launcher_.FailNextKills(1, absl::UnavailableError("later"));
  RunFiveAndABadOne();
  EXPECT_EQ(Trial(6).state, TrialState::kStopping);
  Report(Key(6), 3, 7);
  launcher_.Exit(Key(6), 0);
  Step();
  EXPECT_EQ(Trial(6).state, TrialState::kCompleted);
  EXPECT_EQ(Trial(6).end_cause, TrialEndCause::kSuccess);
  EXPECT_EQ(Trial(6).final_measurement, (FinalMeasurement{3, 7}));
  EXPECT_EQ(Trial(6).message, "");
}

// Two trials at a time, of which each other one crashes whatever is tried: only
// whole trials in a row may pause the job.
TEST_F(OrchestratorTest, CrashesThatAreTriedAgainDoNotPauseAJobThatWorks) {
  JobSpec spec = TuningSpec(6, 2);
  spec.vernier.max_consecutive_failures = 5;
  Submit(spec);
  Start();
  Step();
  const std::chrono::milliseconds at_once(20);
  for (std::int64_t trial = 1; trial <= 6; trial += 2) {
    for (int attempt = 1; attempt <= 4; ++attempt) {
      launcher_.Exit(Key(trial, attempt), 139, at_once);
      Step();
    }
    Report(Key(trial + 1), 1, 0.5);
    launcher_.Exit(Key(trial + 1), 0);
    Step();
  }
  EXPECT_EQ(JobRunOf(*Study()).wanted, JobWanted::kRun)
      << JobRunOf(*Study()).wanted_reason;
  EXPECT_EQ(JobRunOf(*Study()).state, JobState::kSucceeded);
}

TEST_F(OrchestratorTest, ARetryThatWaitsForAResumeIsMadeThen) {
  JobSpec spec = TuningSpec(9, 2);
  spec.vernier.max_instant_failures = 1;
  spec.vernier.max_consecutive_failures = 0;
  Submit(spec);
  Start();
  Step();
  const std::chrono::milliseconds at_once(20);
  launcher_.Exit(Key(1), 1, at_once);    // Pauses the job,
  launcher_.Exit(Key(2), 139, at_once);  // while this one is to be retried.
  Step();
  EXPECT_EQ(JobRunOf(*Study()).wanted, JobWanted::kPause);
  EXPECT_EQ(JobRunOf(*Study()).consecutive_instant_failures, 1);
  EXPECT_EQ(Study()->live_attempts, 0);
  EXPECT_EQ(Trial(2).state, TrialState::kActive);
  Want(JobWanted::kRun);
  Step();
  EXPECT_EQ(JobRunOf(*Study()).consecutive_instant_failures, 0);
  EXPECT_EQ(Trial(2).attempts.size(), 2u);
  EXPECT_EQ(launcher_.Alive(), (std::vector<AttemptKey>{Key(2, 2), Key(3)}));
}

TEST_F(OrchestratorTest, WhatAProgramReportsInVainIsKept) {
  Submit(TuningSpec(9, 1));
  Start();
  Step();
  metrics_.ReportProblem(Key(1), "no JSON: loss=0.5");
  launcher_.Exit(Key(1), 0);
  Step();
  EXPECT_EQ(Trial(1).metric_problems,
            std::vector<std::string>{"no JSON: loss=0.5"});
  EXPECT_NE(Trial(1).message.find("no JSON: loss=0.5"), std::string::npos);
}

// It comes again and again, and is stored once.
TEST_F(OrchestratorTest, WhatAProgramSaysAboutItsTrialStaysWithIt) {
  Submit(TuningSpec(9, 1));
  Start();
  Step();
  metrics_.Say(Key(1), "checkpoint", "\"a.pt\"");
  metrics_.Say(Key(1), "no JSON", "{");
  Step();
  const auto count_events = [&] {
    const auto events =
        store_.ListEvents(EventSequence{0}, std::nullopt, 1000).value();
    return std::count_if(events.begin(), events.end(), [](const Event& event) {
      return event.kind == "study.metadata";
    });
  };
  EXPECT_EQ(AttributesOf(Trial(1).metadata),
            (UserAttributes{{"checkpoint", "\"a.pt\""}}));
  ASSERT_EQ(Trial(1).metric_problems.size(), 1u);
  EXPECT_NE(Trial(1).metric_problems[0].find("must be JSON"),
            std::string::npos);
  Step();
  EXPECT_EQ(count_events(), 1);
  metrics_.Say(Key(1), "checkpoint", "\"b.pt\"");
  launcher_.Exit(Key(1), 0);
  Step();
  EXPECT_EQ(AttributesOf(Trial(1).metadata),
            (UserAttributes{{"checkpoint", "\"b.pt\""}}));
}

// What a checkpoint of running times says must not undo what was counted in
// the same step.
TEST_F(OrchestratorTest, ACheckpointLeavesTheCountsOfFailures) {
  JobSpec spec = TuningSpec(9, 1);
  spec.vernier.max_consecutive_failures = 9;
  Submit(spec);
  Start();
  Step();
  clock_.Advance(std::chrono::minutes(2));
  launcher_.Exit(Key(1), 1, std::chrono::milliseconds(20));
  Step();
  EXPECT_EQ(JobRunOf(*Study()).consecutive_instant_failures, 1);
}

TEST_F(OrchestratorTest, PauseLetsTrialsEndAndResumeGoesOn) {
  Submit(TuningSpec(9, 2));
  Start();
  Step();
  Want(JobWanted::kPause);
  launcher_.Exit(Key(1), 0);
  Step(2);
  EXPECT_EQ(launcher_.Alive(), std::vector<AttemptKey>{Key(2)});
  Want(JobWanted::kRun);
  Step();
  EXPECT_EQ(launcher_.Alive().size(), 2u);
}

TEST_F(OrchestratorTest, AFiniteSpaceThatIsUsedUpEndsTheJob) {
  JobSpec spec = TuningSpec(9, 2);
  spec.training_input.hyperparameters->algorithm = Algorithm::kGridSearch;
  ParameterSpec kind;
  kind.name = "kind";
  kind.type = ParameterType::kCategorical;
  kind.categorical_values = {"a", "b", "c"};
  spec.training_input.hyperparameters->params = {kind};
  Submit(spec);
  launcher_.set_on_start([this](const LaunchRequest& request) {
    metrics_.Report(request.attempt, {"loss", 1, clock_.Now(), 1});
    launcher_.Exit(request.attempt, 0);
  });
  Start();
  Step(8);
  EXPECT_EQ(JobRunOf(*Study()).state, JobState::kSucceeded);
  EXPECT_EQ(Study()->trials.size(), 3u);
}

// Only a space without an untried point ends a job before its last trial.
TEST_F(OrchestratorTest, APointThatCannotBeChosenIsTriedForAgain) {
  Submit(TuningSpec(2, 1));
  // Its value is outside the space, which no suggester accepts.
  ASSERT_TRUE(
      store_.Commit({CreateTrials{study_, {{{{"x", 7.0}}, {}}}}}, clock_.Now())
          .ok());
  Start();
  Step();
  Report(Key(1), 1, 0.5);
  launcher_.Exit(Key(1), 0);
  Step();
  log_.clear();
  const auto wait = orchestrator_->Step();
  ASSERT_TRUE(wait.ok());
  EXPECT_EQ(*wait, Orchestrator::Options{}.retry_wait);
  EXPECT_EQ(JobRunOf(*Study()).state, JobState::kRunning);
  ASSERT_EQ(log_.size(), 1u);
  EXPECT_NE(log_[0].find("INVALID_ARGUMENT"), std::string::npos) << log_[0];
}

TEST_F(OrchestratorTest, RunningTimeHoldsAcrossRestarts) {
  JobSpec spec = TuningSpec(9, 1);
  spec.training_input.max_running_time = std::chrono::seconds(100);
  Submit(spec);
  Start();
  Step(2);
  clock_.Advance(std::chrono::seconds(70));
  Step(2);
  Restart();
  Step();
  clock_.Advance(std::chrono::seconds(70));
  Step(4);
  EXPECT_EQ(JobRunOf(*Study()).state, JobState::kCancelled);
  EXPECT_NE(JobRunOf(*Study()).error_message.find("maxRunningTime"),
            std::string::npos);
}

TEST_F(OrchestratorTest, GpusAreNeverLeasedTwice) {
  FakeLauncher launcher({{"g0", "", 0}, {"g1", "", 0}, {"g2", "", 0}});
  engines_.emplace(store_, [](const std::string&) {});
  orchestrator_.emplace(
      Orchestrator::Dependencies{store_, launcher, metrics_, *engines_, clock_,
                                 [this] { return std::to_string(++nonces_); },
                                 [](const std::string&) {}},
      Orchestrator::Options{});
  JobSpec spec = TuningSpec(9, 5);
  spec.vernier.gpus_per_replica = 1;
  Submit(spec);
  spec.job_id = "other";
  Submit(spec);
  Step(3);
  EXPECT_EQ(launcher.Alive().size(), 3u);
  std::set<std::string> leased;
  for (const LaunchRequest& request : launcher.started()) {
    for (const std::string& device : request.devices) {
      EXPECT_TRUE(leased.insert(device).second) << device;
    }
  }
  launcher.Exit(launcher.Alive().front(), 0);
  Step(2);
  EXPECT_EQ(launcher.Alive().size(), 3u);
}

TEST_F(OrchestratorTest, TheSameHistoryGivesTheSameTrialsAfterRestarts) {
  std::vector<Parameters> points[2];
  for (const bool restarts : {false, true}) {
    JobSpec spec = TuningSpec(16, 1);
    spec.job_id = restarts ? "restarted" : "calm";
    Submit(spec);
    Start();
    Step();
    for (std::int64_t trial = 1; trial <= 16; ++trial) {
      const Parameters& point = Trial(trial).parameters;
      points[restarts].push_back(point);
      const double x = std::get<double>(point.front().value);
      Report(Key(trial), 1, (x - 0.3) * (x - 0.3));
      if (restarts) Restart();
      launcher_.Exit(Key(trial), 0);
      if (restarts) Restart();
      Step(2);
    }
  }
  EXPECT_EQ(points[0], points[1]);
}

class TwoGpusTest : public testing::Test, protected OrchestratorBed {
 protected:
  TwoGpusTest() : OrchestratorBed({{"A", "fake", 1}, {"B", "fake", 1}}) {}

  StudyId SubmitAs(const std::string& name, int priority, bool is_preemptible) {
    JobSpec spec = TuningSpec(4, 2);
    spec.job_id = name;
    spec.training_input.priority = priority;
    spec.vernier.gpus_per_replica = 1;
    spec.vernier.is_preemptible = is_preemptible;
    Submit(spec);
    return study_;
  }
};

TEST_F(TwoGpusTest, AJobWithAHigherPriorityGetsTheGpusOfOneThatIsPreemptible) {
  const StudyId low = SubmitAs("low", 1, true);
  Start();
  Step();
  EXPECT_EQ(launcher_.Alive().size(), 2u);
  const StudyId high = SubmitAs("high", 5, false);
  Step(4);
  const auto alive = launcher_.Alive();
  ASSERT_EQ(alive.size(), 2u);
  EXPECT_EQ(alive[0].study, high);
  EXPECT_EQ(alive[1].study, high);
  EXPECT_EQ(
      store_.Snapshot()->at(low)->trials.Get(TrialId{1}).attempts[0].end_cause,
      TrialEndCause::kPreempted);
  // When one of its trials ends, the next one of its own comes first.
  launcher_.Exit({high, TrialId{1}, 1}, 0);
  Step(2);
  for (const AttemptKey& key : launcher_.Alive()) EXPECT_EQ(key.study, high);
  for (std::int64_t trial = 2; trial <= 4; ++trial) {
    launcher_.Exit({high, TrialId{trial}, 1}, 0);
    Step(2);
  }
  EXPECT_EQ(launcher_.Alive(), (std::vector<AttemptKey>{{low, TrialId{1}, 2},
                                                        {low, TrialId{2}, 2}}));
}

TEST_F(TwoGpusTest, ABudgetOfGpuTimeEndsTheJobAsSucceeded) {
  JobSpec spec = TuningSpec(9, 1);
  spec.vernier.gpus_per_replica = 2;
  spec.vernier.limits.max_gpu_time = std::chrono::seconds(100);
  spec.vernier.algorithm = Algorithm::kRandomSearch;
  Submit(spec);
  Start();
  Step();
  for (const std::int64_t trial : {1, 2}) {
    metrics_.Report(Key(trial), {"loss", 1, clock_.Now(), 0.5});
    Step();
    EXPECT_NE(JobRunOf(*Study()).state, JobState::kSucceeded) << trial;
    launcher_.Exit(Key(trial), 0, std::chrono::seconds(26));
    Step(3);
  }
  EXPECT_EQ(JobRunOf(*Study()).state, JobState::kSucceeded)
      << "2 * 52 s are over";
  EXPECT_EQ(Study()->trials.size(), 2u);
  EXPECT_NE(ExplainJob(*Study()).find("(vernier.limits.maxGpuTime)"),
            std::string::npos)
      << ExplainJob(*Study());
}

TEST_F(TwoGpusTest, WhatIsFreedByAPreemptionGoesToTheJobItWasMadeFor) {
  const StudyId low = SubmitAs("low", 1, true);
  Start();
  Step();
  // It waits, too, and is planned after the one that is preempted.
  const StudyId lowest = SubmitAs("lowest", 0, false);
  const StudyId high = SubmitAs("high", 5, false);
  Step(4);
  for (const AttemptKey& key : launcher_.Alive()) {
    EXPECT_EQ(key.study, high)
        << ToInt(key.study) << " of " << ToInt(low) << ", " << ToInt(lowest);
  }
  EXPECT_EQ(launcher_.Alive().size(), 2u);
}

TEST_F(TwoGpusTest, JobsOfOnePriorityTakeTurns) {
  const StudyId first = SubmitAs("first", 0, false);
  Start();
  Step();
  const StudyId second = SubmitAs("second", 0, false);
  Step();
  clock_.Advance(std::chrono::seconds(1));
  launcher_.Exit({first, TrialId{1}, 1}, 0);
  Step(2);
  EXPECT_EQ(launcher_.Alive(),
            (std::vector<AttemptKey>{{first, TrialId{2}, 1},
                                     {second, TrialId{1}, 1}}));
}

TEST_F(TwoGpusTest, SmallTrialsFillGapsUntilALargeOneHasWaitedForLong) {
  const StudyId small = SubmitAs("small", 0, false);
  Hindrances hindrances;
  Start(nullptr, &hindrances);
  Step();
  JobSpec spec = TuningSpec(1, 1);
  spec.job_id = "large";
  spec.vernier.gpus_per_replica = 2;
  Submit(spec);
  Step();
  launcher_.Exit({small, TrialId{1}, 1}, 0);
  Step(2);
  EXPECT_EQ(launcher_.Alive().size(), 2u) << "a gap is filled";
  clock_.Advance(std::chrono::minutes(2));
  launcher_.Exit({small, TrialId{2}, 1}, 0);
  Step(2);
  EXPECT_EQ(launcher_.Alive().size(), 1u) << "the GPU is kept";
  EXPECT_EQ(hindrances.Of(small).room,
            "room: the GPUs that are free are kept for job large, which has "
            "waited for longer");
  launcher_.Exit({small, TrialId{3}, 1}, 0);
  Step(2);
  EXPECT_EQ(launcher_.Alive(), (std::vector<AttemptKey>{Key(1)}));
}

TEST_F(TwoGpusTest, ASickGpuIsLeftAloneAndNamed) {
  launcher_.set_unusable({{"A", "has fallen off the bus", true}});
  const StudyId job = SubmitAs("job", 0, false);
  Hindrances hindrances;
  Start(nullptr, &hindrances);
  Step();
  EXPECT_EQ(launcher_.Alive().size(), 1u);
  EXPECT_EQ(Trial(1).attempts[0].devices, std::vector<DeviceId>{"B"});
  EXPECT_EQ(hindrances.Of(job).room, "room: A has fallen off the bus");
  launcher_.set_unusable({});
  Step();
  EXPECT_EQ(launcher_.Alive().size(), 2u);
}

TEST_F(TwoGpusTest, WithoutItsConsentNoJobIsPreempted) {
  SubmitAs("low", 1, false);
  Start();
  Step();
  SubmitAs("high", 5, false);
  Step(4);
  for (const AttemptKey& key : launcher_.Alive()) {
    EXPECT_EQ(key.study, StudyId{1});
  }
  EXPECT_TRUE(launcher_.kills().empty());
}

}  // namespace
}  // namespace vernier
