#include "trials/jobs/plan.h"

#include <gtest/gtest.h>

#include "tests/trials/study_builder.h"
#include "trials/jobs/attempt_verdict.h"

namespace vernier {
namespace {

using Kind = AttemptObservation::Kind;

/// A machine with these GPUs, of which `held` are leased.
GpuPool Gpus(const std::vector<DeviceId>& all,
             const std::vector<DeviceId>& held = {}) {
  std::vector<Device> devices;
  for (const DeviceId& id : all) devices.push_back({id, "", 0});
  GpuPool gpus(devices);
  for (const DeviceId& id : held) gpus.Hold(id);
  return gpus;
}

class PlanTest : public testing::Test {
 protected:
  StudyPlan Plan(const StudyBuilder& study) {
    PlanInput input{study.Job(), seen_, times_, exhausted_};
    input.early = EarlyVerdicts{early_stops_, pauses_, resumes_};
    if (!knows_early_) input.early.reset();
    input.use = use_;
    input.promise = promise_;
    return MakePlan(input, options_, &gpus_);
  }
  void See(const AttemptObservation& seen) { seen_[seen.attempt] = seen; }

  /// The first change of type T, or null.
  template <typename T>
  static const T* Find(const StudyPlan& plan) {
    for (const Change& change : plan.changes) {
      if (const T* found = ChangeIf<T>(change)) return found;
    }
    return nullptr;
  }
  static bool IsEmpty(const StudyPlan& plan) {
    return plan.changes.empty() && plan.launches.empty() &&
           plan.new_trials.empty();
  }

  std::map<AttemptKey, AttemptObservation> seen_;
  JobTimes times_;
  bool exhausted_ = false;
  EarlyStops early_stops_;
  EarlyStops pauses_;
  EarlyStops resumes_;
  bool knows_early_ = true;
  std::optional<StudyUse> use_;
  std::optional<NextTrialPromise> promise_;
  PlanOptions options_;
  GpuPool gpus_;
};

TEST_F(PlanTest, ANewJobStartsAsManyTrialsAsMayRunAtOnce) {
  const StudyPlan plan = Plan(StudyBuilder(TuningSpec(10, 3)));
  EXPECT_EQ(plan.new_trials.size(), 3u);
  ASSERT_NE(Find<MoveJob>(plan), nullptr);
  EXPECT_EQ(Find<MoveJob>(plan)->event, JobEvent::kPrepare);
}

TEST_F(PlanTest, AfterTheMachinesFaultATrialWaitsAndKeepsItsPlace) {
  StudyBuilder study(TuningSpec(10, 1));
  study.job().state = JobState::kRunning;
  study.Active();
  See(Exited(study.KeyOf(1), 75));
  EXPECT_EQ(Plan(study).launches.size(), 0u);
  EXPECT_EQ(Plan(study).new_trials.size(), 0u);
  StudyBuilder ended(TuningSpec(10, 1));
  ended.job().state = JobState::kRunning;
  ended.Active(AttemptState::kExited);
  seen_.clear();
  PlanInput input{ended.Job(), seen_, times_};
  input.backing_off = {TrialId{1}};
  StudyPlan plan = MakePlan(input, options_, &gpus_);
  EXPECT_TRUE(IsEmpty(plan));
  input.backing_off.clear();
  plan = MakePlan(input, options_, &gpus_);
  EXPECT_EQ(plan.launches.size(), 1u);
}

TEST_F(PlanTest, ARetryMovesToAnotherGpu) {
  JobSpec spec = TuningSpec(10, 1);
  spec.vernier.gpus_per_replica = 1;
  StudyBuilder study(spec);
  study.job().state = JobState::kRunning;
  study.Active(AttemptState::kExited).With([](TrialRecord* trial) {
    trial->attempts.back().end_cause = TrialEndCause::kInfrastructure;
    trial->attempts.back().devices = {"A"};
  });
  gpus_ = Gpus({"A", "B"});
  StudyPlan plan = Plan(study);
  ASSERT_EQ(plan.launches.size(), 1u);
  EXPECT_EQ(plan.launches[0].devices, std::vector<DeviceId>{"B"});
  EXPECT_EQ(gpus_.Unleased(), (std::vector<DeviceId>{"A"}));
  // Better the same one than none.
  gpus_ = Gpus({"A"});
  plan = Plan(study);
  ASSERT_EQ(plan.launches.size(), 1u);
  EXPECT_EQ(plan.launches[0].devices, std::vector<DeviceId>{"A"});
}

TEST_F(PlanTest, SaysWhatOneMoreTrialLacks) {
  JobSpec spec = TuningSpec(10, 2);
  spec.vernier.gpus_per_replica = 3;
  StudyBuilder study(spec);
  gpus_ = Gpus({"A", "B", "C", "D"}, {"B", "C", "D"});
  EXPECT_EQ(Plan(study).lack.gpus, 2);
  gpus_ = Gpus({"A", "B", "C", "D"}, {"D"});
  EXPECT_EQ(Plan(study).lack.gpus, 3) << "for the second";
  ReplicaBudget replicas(2, 2);
  PlanInput input{study.Job(), seen_, times_};
  input.replica_budget = &replicas;
  gpus_ = Gpus({"A", "B", "C", "D"}, {"D"});
  EXPECT_EQ(MakePlan(input, options_, &gpus_).lack.replicas, 1);
}

TEST_F(PlanTest, AServiceThatEndsTakesItsTrialsWithIt) {
  StudyBuilder study(TuningSpec(10, 3));
  study.job().state = JobState::kRunning;
  study.Active().Stopping().Requested();
  PlanInput input{study.Job(), seen_, times_};
  input.is_draining = true;
  const StudyPlan plan = MakePlan(input, options_, &gpus_);
  ASSERT_EQ(plan.changes.size(), 1u);
  EXPECT_EQ(ChangeIf<WantKill>(plan.changes[0])->attempt, study.KeyOf(1));
  EXPECT_EQ(ChangeIf<WantKill>(plan.changes[0])->cause,
            TrialEndCause::kPreempted);
  EXPECT_TRUE(plan.launches.empty());
  EXPECT_TRUE(plan.new_trials.empty());
}

TEST_F(PlanTest, AJobThatYieldsStartsNothing) {
  StudyBuilder study(TuningSpec(10, 3));
  PlanInput input{study.Job(), seen_, times_};
  input.yields = true;
  EXPECT_TRUE(IsEmpty(MakePlan(input, options_, &gpus_)));
}

TEST_F(PlanTest, ARuleOfTheJobPausesIt) {
  JobSpec spec = TuningSpec(10, 1);
  EndRule rule;
  rule.exit_codes = {9};
  rule.action = EndAction::kPause;
  spec.vernier.end_rules = {rule};
  StudyBuilder study(spec);
  study.job().state = JobState::kRunning;
  study.Active();
  See(Exited(study.KeyOf(1), 9));
  const StudyPlan plan = Plan(study);
  ASSERT_NE(Find<SetJobWanted>(plan), nullptr);
  EXPECT_EQ(Find<SetJobWanted>(plan)->wanted, JobWanted::kPause);
  EXPECT_EQ(Find<MoveTrial>(plan), nullptr) << "it is tried again";
  EXPECT_TRUE(plan.launches.empty());
}

TEST_F(PlanTest, NeverMoreTrialsThanMaxTrials) {
  StudyBuilder study(TuningSpec(3, 3));
  study.job().state = JobState::kRunning;
  study.Completed(1).Active();
  EXPECT_EQ(Plan(study).new_trials.size(), 1u);
}

TEST_F(PlanTest, InAUsedUpSpaceOnlyPointsGivenByHandAreTried) {
  exhausted_ = true;
  StudyBuilder study(TuningSpec(9, 4));
  study.job().state = JobState::kRunning;
  study.Active().Queued(0.5).Queued(0.5);
  EXPECT_EQ(Plan(study).new_trials.size(), 2u);
}

TEST_F(PlanTest, APausedJobDoesNotEndWhileAPointWaits) {
  exhausted_ = true;
  StudyBuilder study(TuningSpec(9, 4));
  study.job().state = JobState::kRunning;
  study.job().wanted = JobWanted::kPause;
  study.Completed(1).Queued(0.5);
  EXPECT_TRUE(IsEmpty(Plan(study)));
}

TEST_F(PlanTest, NothingToDoMeansAnEmptyPlan) {
  StudyBuilder study(TuningSpec(10, 2));
  study.job().state = JobState::kRunning;
  study.Active().Active();
  EXPECT_TRUE(IsEmpty(Plan(study)));
}

TEST_F(PlanTest, AnEndAndTheNextStartAreOnePlan) {
  StudyBuilder study(TuningSpec(10, 1));
  study.job().state = JobState::kRunning;
  study.Active().With([](TrialRecord* trial) {
    trial->objective.last = FinalMeasurement{1, 0.5};
  });
  See(Exited(study.KeyOf(1), 0));
  const StudyPlan plan = Plan(study);
  ASSERT_NE(Find<EndAttempt>(plan), nullptr);
  ASSERT_NE(Find<MoveTrial>(plan), nullptr);
  EXPECT_EQ(Find<MoveTrial>(plan)->final_measurement,
            (FinalMeasurement{1, 0.5}));
  EXPECT_EQ(plan.new_trials.size(), 1u);
}

TEST_F(PlanTest, TheLastEndFinishesTheJob) {
  StudyBuilder study(TuningSpec(2, 1));
  study.job().state = JobState::kRunning;
  study.Completed(1).Active();
  See(Exited(study.KeyOf(2), 0));
  ASSERT_NE(Find<MoveJob>(Plan(study)), nullptr);
  EXPECT_EQ(Find<MoveJob>(Plan(study))->event, JobEvent::kSucceed);
}

TEST_F(PlanTest, AVeryShortTrialStillMakesTheJobRun) {
  StudyBuilder study(TuningSpec(9, 1));
  study.job().state = JobState::kPreparing;
  study.Active(AttemptState::kIntended);
  See(Exited(study.KeyOf(1), 0));
  const StudyPlan plan = Plan(study);
  EXPECT_EQ(Find<MoveJob>(plan)->event, JobEvent::kRun);
}

TEST_F(PlanTest, ALostAttemptIsLaunchedAgainWithTheNextNumber) {
  StudyBuilder study(TuningSpec(5, 1));
  study.job().state = JobState::kRunning;
  study.Active();
  AttemptObservation lost;
  lost.attempt = study.KeyOf(1);
  lost.kind = Kind::kLost;
  See(lost);
  const StudyPlan plan = Plan(study);
  ASSERT_EQ(plan.launches.size(), 1u);
  EXPECT_EQ(plan.launches[0].attempt, (AttemptKey{StudyId{7}, TrialId{1}, 2}));
  EXPECT_TRUE(plan.new_trials.empty());
}

TEST_F(PlanTest, APausedJobStartsNothingButMindsWhatRuns) {
  StudyBuilder study(TuningSpec(5, 2));
  study.job().state = JobState::kRunning;
  study.job().wanted = JobWanted::kPause;
  study.Active();
  See(Exited(study.KeyOf(1), 0));
  const StudyPlan plan = Plan(study);
  EXPECT_NE(Find<EndAttempt>(plan), nullptr);
  EXPECT_TRUE(plan.new_trials.empty());
  EXPECT_TRUE(plan.launches.empty());
}

TEST_F(PlanTest, ACancelledJobAsksEveryAttemptToEnd) {
  StudyBuilder study(TuningSpec(5, 3));
  study.job().state = JobState::kRunning;
  study.job().wanted = JobWanted::kStop;
  study.Active().Requested();
  const StudyPlan plan = Plan(study);
  EXPECT_EQ(Find<MoveJob>(plan)->event, JobEvent::kRequestCancel);
  ASSERT_NE(Find<WantKill>(plan), nullptr);
  EXPECT_EQ(Find<WantKill>(plan)->cause, TrialEndCause::kCancelled);
  EXPECT_TRUE(plan.new_trials.empty());
}

TEST_F(PlanTest, ACancelledJobEndsWithItsLastAttempt) {
  StudyBuilder study(TuningSpec(5, 3));
  study.job().state = JobState::kCancelling;
  study.job().wanted = JobWanted::kStop;
  study.job().wanted_reason = "because";
  study.Stopping();
  EXPECT_TRUE(IsEmpty(Plan(study)));
  AttemptObservation seen = Exited(study.KeyOf(1), 1);
  seen.stopped_by_request = true;
  See(seen);
  const StudyPlan plan = Plan(study);
  EXPECT_EQ(Find<MoveJob>(plan)->event, JobEvent::kConfirmCancel);
  EXPECT_EQ(Find<MoveJob>(plan)->error_message, "because");
}

TEST_F(PlanTest, AFirstFailureStopsTheOthersAndThenFailsTheJob) {
  StudyBuilder study(TuningSpec(9, 2));
  study.job().state = JobState::kRunning;
  study.Active().Active();
  See(Exited(study.KeyOf(1), 1));
  const StudyPlan plan = Plan(study);
  ASSERT_NE(Find<SetJobWanted>(plan), nullptr);
  EXPECT_EQ(Find<SetJobWanted>(plan)->wanted, JobWanted::kFail);
  EXPECT_NE(Find<WantKill>(plan), nullptr);
  EXPECT_EQ(Find<MoveJob>(plan), nullptr) << "the other trial still runs";
}

TEST_F(PlanTest, InstantFailuresInARowPauseTheJobWithTheirWords) {
  JobSpec spec = TuningSpec(100, 1);
  spec.training_input.hyperparameters->max_failed_trials = 100;
  StudyBuilder study(spec);
  study.job().state = JobState::kRunning;
  study.job().consecutive_instant_failures = 2;
  study.Failed().Failed().Active();
  AttemptObservation seen = Exited(study.KeyOf(3), 1);
  seen.lasted = std::chrono::milliseconds(20);
  seen.message = "No module named torch";
  See(seen);
  const StudyPlan plan = Plan(study);
  ASSERT_NE(Find<SetJobWanted>(plan), nullptr);
  EXPECT_EQ(Find<SetJobWanted>(plan)->wanted, JobWanted::kPause);
  EXPECT_NE(Find<SetJobWanted>(plan)->reason.find("No module named torch"),
            std::string::npos);
  EXPECT_TRUE(plan.new_trials.empty());
  EXPECT_EQ(Find<CountFailures>(plan)->consecutive_instant_failures, 3);
  EXPECT_EQ(Find<CountFailures>(plan)->consecutive_failures, 1);
}

// A crash that is tried again is no trial that failed.
TEST_F(PlanTest, OnlyTrialsAreCountedNotTheirAttempts) {
  JobSpec spec = TuningSpec(100, 2);
  spec.vernier.max_instant_failures = 1;
  StudyBuilder study(spec);
  study.job().state = JobState::kRunning;
  study.Active().Active();
  AttemptObservation seen = Exited(study.KeyOf(1), 139);
  seen.lasted = std::chrono::milliseconds(20);
  See(seen);
  const StudyPlan plan = Plan(study);
  EXPECT_EQ(Find<SetJobWanted>(plan), nullptr);
  EXPECT_EQ(Find<CountFailures>(plan), nullptr);
  ASSERT_EQ(plan.launches.size(), 1u) << "it is tried again";
}

TEST_F(PlanTest, FirstTrialsWithoutTheObjectivePauseTheJob) {
  JobSpec spec = TuningSpec(100, 1);
  spec.vernier.max_instant_failures = 2;
  StudyBuilder study(spec);
  study.job().state = JobState::kRunning;
  study.Failed(TrialEndCause::kNoMetric).Active().With([](TrialRecord* trial) {
    trial->metrics_seen = {{"los"}};
  });
  See(Exited(study.KeyOf(2), 0));
  const StudyPlan plan = Plan(study);
  ASSERT_NE(Find<SetJobWanted>(plan), nullptr);
  EXPECT_EQ(Find<SetJobWanted>(plan)->wanted, JobWanted::kPause);
  EXPECT_NE(Find<SetJobWanted>(plan)->reason.find("did you mean \"los\"?"),
            std::string::npos)
      << Find<SetJobWanted>(plan)->reason;
  EXPECT_TRUE(plan.new_trials.empty());
}

TEST_F(PlanTest, AJobWithNothingLeftToDoEndsInsteadOfPausing) {
  JobSpec spec = TuningSpec(2, 1);
  spec.vernier.max_instant_failures = 2;
  StudyBuilder study(spec);
  study.job().state = JobState::kRunning;
  study.Failed(TrialEndCause::kNoMetric).Active();
  AttemptObservation seen = Exited(study.KeyOf(2), 0);
  seen.message = "the last line";
  See(seen);
  const StudyPlan plan = Plan(study);
  EXPECT_EQ(Find<SetJobWanted>(plan), nullptr);
  ASSERT_NE(Find<MoveJob>(plan), nullptr);
  EXPECT_EQ(Find<MoveJob>(plan)->event, JobEvent::kFail);
  EXPECT_EQ(Find<MoveJob>(plan)->error_message,
            "no trial has a value of the metric \"loss\"; the last one, trial "
            "2: the program ended well but reported no value of the metric "
            "\"loss\"; it reported no metric at all. The last lines of its "
            "log:\nthe last line");
}

TEST_F(PlanTest, AFirstTrialWhoseParametersAreImpossibleEndsNothing) {
  StudyBuilder study(TuningSpec(9, 1));
  study.job().state = JobState::kRunning;
  study.Active();
  See(Exited(study.KeyOf(1), 78));
  const StudyPlan plan = Plan(study);
  EXPECT_EQ(Find<SetJobWanted>(plan), nullptr);
  EXPECT_EQ(plan.new_trials.size(), 1u);
}

TEST_F(PlanTest, FailuresInARowFailAJobThatLimitsThem) {
  JobSpec spec = TuningSpec(100, 1);
  spec.vernier.max_consecutive_failures = 3;
  StudyBuilder study(spec);
  study.job().state = JobState::kRunning;
  study.job().consecutive_failures = 2;
  study.Failed().Failed().Active();
  See(Exited(study.KeyOf(3), 1));
  const StudyPlan plan = Plan(study);
  ASSERT_NE(Find<SetJobWanted>(plan), nullptr);
  EXPECT_EQ(Find<SetJobWanted>(plan)->wanted, JobWanted::kFail);
  EXPECT_EQ(Find<CountFailures>(plan)->consecutive_failures, 3);
}

TEST_F(PlanTest, AFirstFailureOfAJobThatLimitsThemEndsNothing) {
  JobSpec spec = TuningSpec(100, 1);
  spec.vernier.max_consecutive_failures = 5;
  StudyBuilder study(spec);
  study.job().state = JobState::kRunning;
  study.Active();
  See(Exited(study.KeyOf(1), 1));
  EXPECT_EQ(Find<SetJobWanted>(Plan(study)), nullptr);
}

TEST_F(PlanTest, AJobLeasesOnlyTheGpusThatItsEnvironmentShows) {
  JobSpec spec = TuningSpec(9, 3);
  spec.vernier.gpus_per_replica = 1;
  spec.vernier.caller_environment["CUDA_VISIBLE_DEVICES"] = "2,1";
  gpus_ = Gpus({"g1", "g2", "g3"});
  EXPECT_EQ(Plan(StudyBuilder(spec)).new_trials,
            (std::vector<std::vector<DeviceId>>{{"g3"}, {"g2"}}));
  EXPECT_EQ(gpus_.Unleased(), (std::vector<DeviceId>{"g1"}));

  spec.vernier.caller_environment["CUDA_VISIBLE_DEVICES"] = "-1";
  const StudyPlan plan = Plan(StudyBuilder(spec));
  ASSERT_NE(Find<SetJobWanted>(plan), nullptr);
  EXPECT_EQ(Find<SetJobWanted>(plan)->reason,
            "each trial needs 1 GPU, and CUDA_VISIBLE_DEVICES=-1 of the job's "
            "environment lets it use 0");
}

TEST_F(PlanTest, AttemptsLeaseTheirGpusAllOrNone) {
  JobSpec spec = TuningSpec(9, 3);
  spec.vernier.gpus_per_replica = 2;
  gpus_ = Gpus({"g0", "g1", "g2"});
  const StudyPlan plan = Plan(StudyBuilder(spec));
  ASSERT_EQ(plan.new_trials.size(), 1u);
  EXPECT_EQ(plan.new_trials[0], (std::vector<DeviceId>{"g0", "g1"}));
  EXPECT_EQ(gpus_.Unleased(), (std::vector<DeviceId>{"g2"}));
}

TEST_F(PlanTest, AJobThatCanNeverFitFailsAndSaysHowToRunWithout) {
  JobSpec spec = TuningSpec(9, 3);
  spec.vernier.gpus_per_replica = 4;
  gpus_ = Gpus({"g0"});
  const StudyPlan plan = Plan(StudyBuilder(spec));
  ASSERT_NE(Find<MoveJob>(plan), nullptr);
  EXPECT_EQ(Find<MoveJob>(plan)->event, JobEvent::kFail);
  EXPECT_EQ(Find<MoveJob>(plan)->error_message,
            "each trial needs 4 GPUs, and there is 1; to run without, set "
            "vernier.gpusPerReplica to 0");
}

TEST_F(PlanTest, RunningTooLongCancelsTheJob) {
  JobSpec spec = TuningSpec(9, 1);
  spec.training_input.max_running_time = std::chrono::seconds(60);
  StudyBuilder study(spec);
  study.job().state = JobState::kRunning;
  study.Active();
  times_.ran_for = std::chrono::seconds(61);
  EXPECT_EQ(Find<SetJobWanted>(Plan(study))->wanted, JobWanted::kStop);
  EXPECT_NE(Find<WantKill>(Plan(study)), nullptr);
}

TEST_F(PlanTest, WaitingTooLongCancelsTheJobOnlyBeforeItRan) {
  JobSpec spec = TuningSpec(9, 1);
  spec.training_input.max_wait_time = std::chrono::seconds(1800);
  times_.waited_for = std::chrono::seconds(1801);
  StudyBuilder waiting(spec);
  EXPECT_EQ(Find<SetJobWanted>(Plan(waiting))->wanted, JobWanted::kStop);
  StudyBuilder running(spec);
  running.job().state = JobState::kRunning;
  running.Active();
  EXPECT_TRUE(IsEmpty(Plan(running)));
}

TEST_F(PlanTest, ATrialThatRunsTooLongIsKilledOnce) {
  JobSpec spec = TuningSpec(9, 1);
  spec.vernier.trial_time_limit = std::chrono::seconds(5);
  StudyBuilder study(spec);
  study.job().state = JobState::kRunning;
  study.Active();
  AttemptObservation seen;
  seen.attempt = study.KeyOf(1);
  seen.kind = Kind::kRunning;
  seen.lasted = std::chrono::seconds(6);
  See(seen);
  EXPECT_EQ(Find<WantKill>(Plan(study))->cause, TrialEndCause::kTimeLimit);
  study.With(
      [](TrialRecord* trial) { trial->attempts.back().kill_wanted = true; });
  EXPECT_TRUE(IsEmpty(Plan(study)));
}

TEST_F(PlanTest, ATrialOfNoPromiseIsStoppedOnceAndKeepsItsSlotUntilItEnds) {
  StudyBuilder study(TuningSpec(9, 2));
  study.job().state = JobState::kRunning;
  study.Active().Active();
  early_stops_ = {{TrialId{2}, "it is worse than most"}};
  const StudyPlan plan = Plan(study);
  ASSERT_EQ(plan.changes.size(), 2u);
  const MoveTrial* move = Find<MoveTrial>(plan);
  ASSERT_NE(move, nullptr);
  EXPECT_EQ(move->trial, TrialId{2});
  EXPECT_EQ(move->event, TrialEvent::kRequestStop);
  EXPECT_EQ(move->message, "it is worse than most");
  ASSERT_NE(Find<WantKill>(plan), nullptr);
  EXPECT_EQ(Find<WantKill>(plan)->attempt, study.KeyOf(2));
  EXPECT_EQ(Find<WantKill>(plan)->cause, TrialEndCause::kStoppedEarly);
  EXPECT_TRUE(plan.new_trials.empty());

  StudyBuilder after(TuningSpec(9, 2));
  after.job().state = JobState::kRunning;
  after.Active().Stopping(TrialEndCause::kStoppedEarly);
  EXPECT_TRUE(IsEmpty(Plan(after)));
}

TEST_F(PlanTest, AStoppedTrialKeepsItsLastValueAndItsReasonAndMakesRoom) {
  StudyBuilder study(TuningSpec(9, 1));
  study.job().state = JobState::kRunning;
  study.Stopping(TrialEndCause::kStoppedEarly).With([](TrialRecord* trial) {
    trial->message = "it is worse than most";
    trial->objective.best = FinalMeasurement{1, 0.25};
    trial->objective.last = FinalMeasurement{2, 0.5};
  });
  AttemptObservation seen = Exited(study.KeyOf(1), 1);
  seen.stopped_by_request = true;
  seen.message = "ended by SIGTERM";
  See(seen);
  const StudyPlan plan = Plan(study);
  ASSERT_NE(Find<EndAttempt>(plan), nullptr);
  EXPECT_EQ(Find<EndAttempt>(plan)->event, AttemptEvent::kKill);
  EXPECT_EQ(Find<EndAttempt>(plan)->message, "ended by SIGTERM");
  const MoveTrial* move = Find<MoveTrial>(plan);
  ASSERT_NE(move, nullptr);
  EXPECT_EQ(move->event, TrialEvent::kConfirmStop);
  EXPECT_EQ(move->cause, TrialEndCause::kStoppedEarly);
  EXPECT_EQ(move->message, "it is worse than most");
  EXPECT_EQ(move->final_measurement, (FinalMeasurement{2, 0.5}));
  EXPECT_EQ(Find<SetJobWanted>(plan), nullptr) << "it is no failure";
  EXPECT_EQ(plan.new_trials.size(), 1u);
  EXPECT_TRUE(plan.launches.empty()) << "it is not retried";
}

TEST_F(PlanTest, ATrialThatStopsItselfIsStoppedWithItsLastValue) {
  StudyBuilder study(TuningSpec(9, 1));
  study.job().state = JobState::kRunning;
  study.Active().With([](TrialRecord* trial) {
    trial->objective.best = FinalMeasurement{1, 0.25};
    trial->objective.last = FinalMeasurement{2, 0.5};
    trial->objective.finite_count = 2;
  });
  See(Exited(study.KeyOf(1), kStoppedStatus));
  const StudyPlan plan = Plan(study);
  std::vector<MoveTrial> moves;
  for (const Change& change : plan.changes) {
    if (const auto* move = ChangeIf<MoveTrial>(change)) {
      moves.push_back(*move);
    }
  }
  ASSERT_EQ(moves.size(), 2u);
  EXPECT_EQ(moves[0].event, TrialEvent::kRequestStop);
  EXPECT_EQ(moves[1].event, TrialEvent::kConfirmStop);
  EXPECT_EQ(moves[1].cause, TrialEndCause::kStoppedEarly);
  EXPECT_EQ(moves[1].message, "its program stopped it early");
  EXPECT_EQ(moves[1].final_measurement, (FinalMeasurement{2, 0.5}));
  EXPECT_EQ(Find<SetJobWanted>(plan), nullptr) << "it is no failure";
}

TEST_F(PlanTest, AStopThatIsTooLateIsNone) {
  StudyBuilder study(TuningSpec(9, 1));
  study.job().state = JobState::kRunning;
  study.Active().With([](TrialRecord* trial) {
    trial->objective.last = FinalMeasurement{4, 0.5};
  });
  early_stops_ = {{TrialId{1}, "it is worse than most"}};
  See(Exited(study.KeyOf(1), 0));
  const StudyPlan plan = Plan(study);
  EXPECT_EQ(Find<WantKill>(plan), nullptr);
  ASSERT_NE(Find<MoveTrial>(plan), nullptr);
  EXPECT_EQ(Find<MoveTrial>(plan)->event, TrialEvent::kReportFinal);
  EXPECT_EQ(Find<MoveTrial>(plan)->message, "");
}

TEST_F(PlanTest, ALostAttemptIsRetriedAndNotStoppedInTheSamePlan) {
  StudyBuilder study(TuningSpec(9, 1));
  study.job().state = JobState::kRunning;
  study.Active();
  early_stops_ = {{TrialId{1}, "it is worse than most"}};
  AttemptObservation lost;
  lost.attempt = study.KeyOf(1);
  lost.kind = Kind::kLost;
  See(lost);
  const StudyPlan plan = Plan(study);
  EXPECT_EQ(Find<WantKill>(plan), nullptr);
  EXPECT_EQ(plan.launches.size(), 1u);
}

TEST_F(PlanTest, AnEarlyStopTakesNothingFromAKillThatIsUnderWay) {
  early_stops_ = {{TrialId{1}, "it is worse than most"}};
  StudyBuilder late(TuningSpec(9, 1));
  late.job().state = JobState::kRunning;
  late.Active().With([](TrialRecord* trial) {
    trial->attempts.back().kill_wanted = true;
    trial->attempts.back().kill_cause = TrialEndCause::kTimeLimit;
  });
  EXPECT_TRUE(IsEmpty(Plan(late)));

  StudyBuilder cancelled(TuningSpec(9, 1));
  cancelled.job().state = JobState::kRunning;
  cancelled.job().wanted = JobWanted::kStop;
  cancelled.Active();
  EXPECT_EQ(Find<WantKill>(Plan(cancelled))->cause, TrialEndCause::kCancelled);
}

TEST_F(PlanTest, APausedJobStillStopsItsTrialsEarly) {
  StudyBuilder study(TuningSpec(9, 1));
  study.job().state = JobState::kRunning;
  study.job().wanted = JobWanted::kPause;
  study.Active();
  early_stops_ = {{TrialId{1}, "it is worse than most"}};
  EXPECT_NE(Find<WantKill>(Plan(study)), nullptr);
}

TEST_F(PlanTest, AStoppedTrialCountsForMaxTrials) {
  StudyBuilder study(TuningSpec(2, 1));
  study.job().state = JobState::kRunning;
  study.Completed(1).Stopping(TrialEndCause::kStoppedEarly);
  AttemptObservation seen = Exited(study.KeyOf(2), 1);
  seen.stopped_by_request = true;
  See(seen);
  const StudyPlan plan = Plan(study);
  EXPECT_TRUE(plan.new_trials.empty());
  ASSERT_NE(Find<MoveJob>(plan), nullptr);
  EXPECT_EQ(Find<MoveJob>(plan)->event, JobEvent::kSucceed);
}

/// A job whose trials may be paused.
JobSpec ResumableSpec(int max_trials, int parallel) {
  JobSpec spec = TuningSpec(max_trials, parallel);
  spec.vernier.early_stopping = StoppingRule::kAsha;
  spec.vernier.can_resume = true;
  return spec;
}

StudyBuilder Resumable(int max_trials, int parallel) {
  StudyBuilder study(ResumableSpec(max_trials, parallel));
  study.job().state = JobState::kRunning;
  return study;
}

/// Makes the newest trial, which is active, a paused one.
void Pause(TrialRecord* trial) {
  AttemptRecord& attempt = trial->attempts.back();
  attempt.state = AttemptState::kKilled;
  attempt.kill_wanted = true;
  attempt.kill_cause = attempt.end_cause = TrialEndCause::kStoppedEarly;
  attempt.message = "It was paused.";
  trial->objective.last = trial->objective.best = FinalMeasurement{2, 0.5};
}

TEST_F(PlanTest, APauseEndsTheAttemptAndLeavesTheTrialOpen) {
  StudyBuilder study = Resumable(9, 1);
  study.Active();
  pauses_ = {{TrialId{1}, "It was paused."}};
  StudyPlan plan = Plan(study);
  ASSERT_EQ(plan.changes.size(), 1u);
  EXPECT_EQ(Find<WantKill>(plan)->cause, TrialEndCause::kStoppedEarly);
  EXPECT_EQ(Find<WantKill>(plan)->message, "It was paused.");
  study.With([](TrialRecord* trial) {
    AttemptRecord& attempt = trial->attempts.back();
    attempt.kill_wanted = true;
    attempt.kill_cause = TrialEndCause::kStoppedEarly;
    attempt.message = "It was paused.";
  });
  EXPECT_TRUE(IsEmpty(Plan(study))) << "it is said once";
  AttemptObservation seen = Exited(study.KeyOf(1), 143);
  seen.stopped_by_request = true;
  See(seen);
  pauses_.clear();
  plan = Plan(study);
  ASSERT_EQ(plan.changes.size(), 1u) << "the trial has not ended";
  EXPECT_EQ(Find<EndAttempt>(plan)->cause, TrialEndCause::kStoppedEarly);
  EXPECT_EQ(Find<EndAttempt>(plan)->message, "It was paused.");
  EXPECT_TRUE(plan.new_trials.empty());
  EXPECT_TRUE(plan.plans_again) << "a paused one may be worth more";
}

TEST_F(PlanTest, APausedTrialTakesNoSlotAndWaitsForItsRule) {
  StudyBuilder study = Resumable(9, 1);
  study.Active(AttemptState::kKilled).With(Pause);
  StudyPlan plan = Plan(study);
  EXPECT_TRUE(plan.launches.empty());
  EXPECT_EQ(plan.new_trials.size(), 1u);
  resumes_ = {{TrialId{1}, "It is resumed."}};
  plan = Plan(study);
  ASSERT_EQ(plan.launches.size(), 1u);
  EXPECT_EQ(plan.launches[0].attempt.number, 2);
  EXPECT_EQ(plan.launches[0].reason, "It is resumed.");
  EXPECT_TRUE(plan.new_trials.empty()) << "in place of a new trial";
}

TEST_F(PlanTest, WithoutARuleAPausedTrialGoesOn) {
  JobSpec spec = ResumableSpec(9, 1);
  spec.vernier.early_stopping = StoppingRule::kNone;
  StudyBuilder study(spec);
  study.job().state = JobState::kRunning;
  study.Active(AttemptState::kKilled).With(Pause);
  EXPECT_EQ(Plan(study).launches.size(), 1u);
}

TEST_F(PlanTest, WhatIsStillPausedAtTheEndIsStoppedWithItsLastValue) {
  StudyBuilder study = Resumable(2, 1);
  study.Completed(0.4).Active(AttemptState::kKilled).With(Pause);
  knows_early_ = false;
  EXPECT_TRUE(IsEmpty(Plan(study))) << "the rule could not be asked";
  knows_early_ = true;
  const StudyPlan plan = Plan(study);
  ASSERT_EQ(plan.changes.size(), 3u);
  const MoveTrial& stopped = *ChangeIf<MoveTrial>(plan.changes[1]);
  EXPECT_EQ(stopped.event, TrialEvent::kConfirmStop);
  EXPECT_EQ(stopped.cause, TrialEndCause::kStoppedEarly);
  EXPECT_EQ(stopped.final_measurement, (FinalMeasurement{2, 0.5}));
  EXPECT_EQ(stopped.message,
            "It was paused. It was not resumed before the job had nothing "
            "else to do.");
  EXPECT_EQ(Find<MoveJob>(plan)->event, JobEvent::kSucceed);
}

// A rule that lets few go on from each rung may leave none at the last.
TEST_F(PlanTest, TheBestSoFarComesToItsEndWhereNothingElseIsLeft) {
  const auto with_best = [](double value) {
    return [value](TrialRecord* trial) {
      Pause(trial);
      trial->objective.best = FinalMeasurement{2, value};
    };
  };
  StudyBuilder study = Resumable(3, 1);
  study.Completed(0.6)
      .Active(AttemptState::kKilled)
      .With(with_best(0.5))
      .Active(AttemptState::kKilled)
      .With(with_best(0.3));
  const StudyPlan plan = Plan(study);
  EXPECT_EQ(Find<MoveTrial>(plan), nullptr) << "none is stopped yet";
  ASSERT_EQ(plan.launches.size(), 1u);
  EXPECT_EQ(plan.launches[0].attempt.trial, TrialId{3});
  EXPECT_EQ(plan.launches[0].reason,
            "It goes on since it is the best so far, and nothing else is left "
            "to do.");

  // As it runs, the rule would have it pause again, for nobody's sake.
  StudyBuilder running = Resumable(3, 1);
  running.Completed(0.6)
      .Active(AttemptState::kKilled)
      .With(with_best(0.5))
      .Active()
      .With([](TrialRecord* trial) {
        trial->objective.last = trial->objective.best =
            FinalMeasurement{9, 0.3};
      });
  pauses_ = {{TrialId{3}, "It was paused."}};
  EXPECT_EQ(Find<WantKill>(Plan(running)), nullptr);
  running.job().max_trials = 4;
  EXPECT_NE(Find<WantKill>(Plan(running)), nullptr) << "a new trial could run";
  running.job().max_trials = 3;
  running.With([](TrialRecord* trial) { trial->objective.best->value = 0.55; });
  EXPECT_NE(Find<WantKill>(Plan(running)), nullptr) << "another is better";
}

TEST_F(PlanTest, APausedTrialWaitsForThoseThatRun) {
  StudyBuilder study = Resumable(2, 1);
  study.Active(AttemptState::kKilled).With(Pause).Active();
  EXPECT_TRUE(IsEmpty(Plan(study)));
  See(Exited(study.KeyOf(2), 0));
  const StudyPlan plan = Plan(study);
  EXPECT_EQ(plan.changes.size(), 2u) << "only the end of trial 2";
  EXPECT_TRUE(plan.plans_again);
}

TEST_F(PlanTest, ACancelledJobEndsItsPausedTrials) {
  StudyBuilder study = Resumable(9, 1);
  study.job().wanted = JobWanted::kStop;
  study.Active(AttemptState::kKilled).With(Pause);
  const StudyPlan plan = Plan(study);
  EXPECT_EQ(Find<MoveTrial>(plan)->cause, TrialEndCause::kCancelled);
}

TEST_F(PlanTest, AStudyThatHasDoneEnoughSucceeds) {
  JobSpec spec = TuningSpec(9, 2);
  spec.vernier.limits.target = 0.1;
  StudyBuilder study(spec);
  study.job().state = JobState::kRunning;
  study.Completed(0.05).Active().Requested();
  use_ = UseOf(study.Job(), {});
  StudyPlan plan = Plan(study);
  EXPECT_TRUE(plan.launches.empty());
  EXPECT_TRUE(plan.new_trials.empty());
  EXPECT_EQ(Find<SetJobWanted>(plan)->wanted, JobWanted::kRun);
  EXPECT_EQ(Find<SetJobWanted>(plan)->cause, WantedCause::kEnough);
  EXPECT_EQ(Find<SetJobWanted>(plan)->reason,
            "trial 1 has reached the target 0.1 (vernier.limits.target): loss "
            "= 0.05");
  EXPECT_EQ(Find<WantKill>(plan)->cause, TrialEndCause::kStoppedEarly);
  EXPECT_EQ(Find<MoveJob>(plan), nullptr) << "a trial still runs";
  // The number that is said does not change while trials come to their ends;
  // a user who has resumed the job since is told.
  study.job().wanted_cause = WantedCause::kEnough;
  study.job().wanted_reason = "trial 1 had reached it";
  EXPECT_EQ(Find<SetJobWanted>(Plan(study)), nullptr);
  study.job().wanted_cause = WantedCause::kUser;
  EXPECT_NE(Find<SetJobWanted>(Plan(study)), nullptr);

  StudyBuilder over(spec);
  over.job().state = JobState::kRunning;
  over.Completed(0.05);
  use_ = UseOf(over.Job(), {});
  plan = Plan(over);
  ASSERT_NE(Find<MoveJob>(plan), nullptr);
  EXPECT_EQ(Find<MoveJob>(plan)->event, JobEvent::kSucceed);
}

TEST_F(PlanTest, WithoutProgressWhatRunsComesToItsEnd) {
  JobSpec spec = TuningSpec(9, 2);
  spec.vernier.limits.no_progress = NoProgressLimit{4, 0.1};
  StudyBuilder study(spec);
  study.job().state = JobState::kRunning;
  study.Completed(0.05).Active();
  use_ = UseOf(study.Job(), {});
  promise_ = NextTrialPromise{0.025};
  EXPECT_EQ(Plan(study).new_trials.size(), 1u) << "just enough";
  promise_ = NextTrialPromise{0.024};
  const StudyPlan plan = Plan(study);
  EXPECT_TRUE(plan.new_trials.empty());
  EXPECT_EQ(Find<WantKill>(plan), nullptr);
  EXPECT_EQ(Find<SetJobWanted>(plan)->reason,
            "the next 4 trials promise to improve loss by at most 0.096, which "
            "is less than 0.1 (vernier.limits.noProgress)");
}

TEST_F(PlanTest, AnExhaustedSpaceEndsTheJobAsSucceeded) {
  StudyBuilder study(TuningSpec(9, 1));
  study.job().state = JobState::kRunning;
  study.Completed(1);
  exhausted_ = true;
  const StudyPlan plan = Plan(study);
  EXPECT_EQ(Find<MoveJob>(plan)->event, JobEvent::kSucceed);
  const auto* const wanted = Find<SetJobWanted>(plan);
  ASSERT_NE(wanted, nullptr);
  EXPECT_EQ(wanted->cause, WantedCause::kEnough);
  EXPECT_EQ(wanted->reason, "every point of the search space has been tried");
}

TEST_F(PlanTest, AJobWithoutTuningIsOneTrial) {
  StudyBuilder study(PlainSpec());
  EXPECT_EQ(Plan(study).new_trials.size(), 1u);
  study.job().state = JobState::kRunning;
  study.Active();
  See(Exited(study.KeyOf(1), 3));
  const StudyPlan plan = Plan(study);
  EXPECT_EQ(Find<MoveJob>(plan)->event, JobEvent::kFail);
  EXPECT_EQ(Find<MoveJob>(plan)->error_message, "said so");
}

}  // namespace
}  // namespace vernier
