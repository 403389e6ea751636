// What every Store does with trials and attempts.

#include <cmath>
#include <limits>

#include "tests/store/store_conformance.h"

namespace vernier {
namespace {

using absl::StatusCode;

TEST_P(StoreConformanceTest, NumbersTrialsDensely) {
  const StudyId study = AddJob();
  MustCommit({CreateTrials{study, {MakeTrial(0.25), MakeTrial(0.5)}}});
  MustCommit({CreateTrials{study, {MakeTrial(0.75)}}});
  ASSERT_EQ(Study(study).trials.size(), 3u);
  EXPECT_EQ(Trial(study, 3).id, TrialId{3});
  EXPECT_EQ(Trial(study, 3).parameters, MakeTrial(0.75).parameters);
  EXPECT_EQ(Trial(study, 3).origin.suggester, "SOBOL");
  EXPECT_EQ(Trial(study, 3).state, TrialState::kRequested);
  EXPECT_EQ(Study(study).open,
            (std::vector<TrialId>{TrialId{1}, TrialId{2}, TrialId{3}}));
}

TEST_P(StoreConformanceTest, RemembersWhyATrialWasSuggested) {
  const StudyId study = AddJob();
  NewTrial trial = MakeTrial(0.25);
  trial.origin.record.emplace();
  trial.origin.record->method = SuggestionMethod::kImprovement;
  trial.origin.record->num_completed = 7;
  trial.origin.record->prediction = Prediction{0.1 + 0.2, -1e-300, 1e300};
  trial.origin.record->milliseconds = 0.25;
  MustCommit({CreateTrials{study, {trial, MakeTrial(0.5)}}});
  EXPECT_EQ(Trial(study, 1).origin.record, trial.origin.record);
  EXPECT_FALSE(Trial(study, 2).origin.record.has_value());
}

TEST_P(StoreConformanceTest, AddsNoMoreThanMaxTrials) {
  const StudyId study = AddJob({.max_trials = 2, .max_parallel_trials = 1});
  Refuses(StatusCode::kFailedPrecondition,
          {CreateTrials{study, {MakeTrial(0), MakeTrial(0), MakeTrial(0)}}});
  AddTrials(study, 2);
  Refuses(StatusCode::kFailedPrecondition,
          {CreateTrials{study, {MakeTrial(0)}}});
}

TEST_P(StoreConformanceTest, AddsNoTrialToAFinishedJob) {
  const StudyId study = AddJob();
  MustCommit({MoveJob{study, JobEvent::kSucceed, ""}});
  Refuses(StatusCode::kFailedPrecondition,
          {CreateTrials{study, {MakeTrial(0)}}});
}

TEST_P(StoreConformanceTest, RefusesParametersThatCannotBeStored) {
  const StudyId study = AddJob();
  for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    Refuses(StatusCode::kInvalidArgument,
            {CreateTrials{study, {{{{"rate", value}}, {"SOBOL", {}}}}}});
  }
  Refuses(StatusCode::kInvalidArgument,
          {CreateTrials{study, {{{{"x", 1.0}, {"x", 2.0}}, {"SOBOL", {}}}}}});
}

TEST_P(StoreConformanceTest, KeepsParametersExactly) {
  const StudyId study = AddJob();
  const Parameters parameters = {
      {"tenth", 0.1},
      {"least", std::numeric_limits<double>::denorm_min()},
      {"whole", 3.0},
      {"integer", std::numeric_limits<std::int64_t>::min()},
      {"text", "l\"\\\n\xc3\xa9"}};
  MustCommit({CreateTrials{study, {{parameters, {"USER", {}}}}}});
  EXPECT_EQ(Trial(study, 1).parameters, parameters);
}

TEST_P(StoreConformanceTest, LaunchesATrial) {
  const StudyId study = AddJob();
  AddTrials(study, 1);
  const AttemptKey key{study, TrialId{1}, 1};
  MustCommit({Launch(key, {"gpu-0", "gpu-1"})});
  const TrialRecord trial = Trial(study, 1);
  EXPECT_EQ(trial.state, TrialState::kActive);
  ASSERT_EQ(trial.attempts.size(), 1u);
  EXPECT_EQ(trial.attempts[0].state, AttemptState::kIntended);
  EXPECT_EQ(trial.attempts[0].nonce, Launch(key).nonce);
  EXPECT_EQ(trial.attempts[0].devices,
            (std::vector<DeviceId>{"gpu-0", "gpu-1"}));
  EXPECT_EQ(trial.attempts[0].intended_at, At(2));
  EXPECT_FALSE(trial.started_at.has_value());
  EXPECT_EQ(Study(study).live_attempts, 1);
}

TEST_P(StoreConformanceTest, LaunchesOnlyTheNextAttempt) {
  const StudyId study = AddJob();
  AddTrials(study, 1);
  for (const int number : {2, 0, -1}) {
    Refuses(StatusCode::kFailedPrecondition,
            {Launch({study, TrialId{1}, number})});
  }
  IntendLaunch without_nonce = Launch({study, TrialId{1}, 1});
  without_nonce.nonce = "";
  Refuses(StatusCode::kInvalidArgument, {without_nonce});
}

TEST_P(StoreConformanceTest, LaunchesNoTrialTwiceAtOnce) {
  const StudyId study = AddRunningJob();
  Refuses(StatusCode::kFailedPrecondition, {Launch({study, TrialId{1}, 2})});
}

TEST_P(StoreConformanceTest, LaunchesNoTrialThatIsStoppingOrOver) {
  const StudyId study = AddRunningJob(2);
  MustCommit({Move(study, TrialId{1}, TrialEvent::kRequestStop),
              Move(study, TrialId{2}, TrialEvent::kRequestStop,
                   TrialEndCause::kCancelled),
              Exit({study, TrialId{1}, 1})});
  EXPECT_EQ(Trial(study, 1).state, TrialState::kStopping);
  EXPECT_EQ(Trial(study, 2).state, TrialState::kStopped);
  Refuses(StatusCode::kFailedPrecondition, {Launch({study, TrialId{1}, 2})});
  Refuses(StatusCode::kFailedPrecondition, {Launch({study, TrialId{2}, 1})});
}

TEST_P(StoreConformanceTest, LaunchesOnlyForAJobThatWantsToRun) {
  const StudyId stopped = AddJob({.job_id = "stopped"});
  AddTrials(stopped, 1);
  MustCommit({SetJobWanted{stopped, JobWanted::kStop, WantedCause::kUser, ""}});
  Refuses(StatusCode::kFailedPrecondition, {Launch({stopped, TrialId{1}, 1})});

  const StudyId study = AddJob();
  AddTrials(study, 1);
  const AttemptKey key{study, TrialId{1}, 1};
  MustCommit({SetJobWanted{study, JobWanted::kPause, WantedCause::kUser, ""}});
  Refuses(StatusCode::kFailedPrecondition, {Launch(key)});
  MustCommit({SetJobWanted{study, JobWanted::kRun, WantedCause::kUser, ""},
              MoveJob{study, JobEvent::kRequestCancel, ""}});
  Refuses(StatusCode::kFailedPrecondition, {Launch(key)});
}

TEST_P(StoreConformanceTest, KeepsLiveAttemptsWithinTheCap) {
  const StudyId study = AddJob({.max_parallel_trials = 2});
  AddTrials(study, 3);
  MustCommit({Launch({study, TrialId{1}, 1}), Launch({study, TrialId{2}, 1})});
  Refuses(StatusCode::kFailedPrecondition, {Launch({study, TrialId{3}, 1})});
  MustCommit({Exit({study, TrialId{1}, 1}), Launch({study, TrialId{3}, 1})});
  EXPECT_EQ(Study(study).live_attempts, 2);
}

TEST_P(StoreConformanceTest, LeasesADeviceToOneLiveAttemptOfAnyStudy) {
  const StudyId first = AddJob({.job_id = "first"});
  const StudyId second = AddJob({.job_id = "second"});
  AddTrials(first, 2);
  AddTrials(second, 1);
  const AttemptKey holder{first, TrialId{1}, 1};
  MustCommit({Launch(holder, {"gpu-0", "gpu-1"})});
  Refuses(StatusCode::kResourceExhausted,
          {Launch({second, TrialId{1}, 1}, {"gpu-2", "gpu-1"})});
  Refuses(StatusCode::kResourceExhausted,
          {Launch({first, TrialId{2}, 1}, {"gpu-0"})});
  Refuses(StatusCode::kInvalidArgument,
          {Launch({second, TrialId{1}, 1}, {"gpu-2", "gpu-2"})});

  MustCommit({Exit(holder)});
  MustCommit({Launch({second, TrialId{1}, 1}, {"gpu-2", "gpu-1"}),
              Launch({first, TrialId{2}, 1}, {"gpu-0"})});
}

TEST_P(StoreConformanceTest, ObservesAnAttempt) {
  const StudyId study = AddJob();
  AddTrials(study, 1);
  const AttemptKey key{study, TrialId{1}, 1};
  MustCommit({Launch(key), ObserveAttempt{key, AttemptEvent::kLaunch}});
  EXPECT_EQ(Trial(study, 1).attempts[0].state, AttemptState::kLaunching);
  EXPECT_FALSE(Trial(study, 1).started_at.has_value());
  MustCommit({ObserveAttempt{key, AttemptEvent::kRun}});
  EXPECT_EQ(Trial(study, 1).attempts[0].state, AttemptState::kRunning);
  EXPECT_EQ(Trial(study, 1).attempts[0].running_at, At(2));
  EXPECT_EQ(Trial(study, 1).started_at, At(2));
  Refuses(StatusCode::kFailedPrecondition,
          {ObserveAttempt{key, AttemptEvent::kLaunch}});
  Refuses(StatusCode::kInvalidArgument,
          {ObserveAttempt{key, AttemptEvent::kExit}});
}

TEST_P(StoreConformanceTest, WantsAKillOnce) {
  const StudyId study = AddRunningJob();
  const AttemptKey key{study, TrialId{1}, 1};
  MustCommit({WantKill{key, TrialEndCause::kTimeLimit}});
  const std::string before = Everything();
  MustCommit({WantKill{key, TrialEndCause::kCancelled}});
  EXPECT_EQ(Everything(), before);
  EXPECT_TRUE(Trial(study, 1).attempts[0].kill_wanted);
  EXPECT_EQ(Trial(study, 1).attempts[0].kill_cause, TrialEndCause::kTimeLimit);
  MustCommit({End(key, AttemptEvent::kKill, TrialEndCause::kTimeLimit)});
  Refuses(StatusCode::kFailedPrecondition,
          {WantKill{key, TrialEndCause::kCancelled}});
}

TEST_P(StoreConformanceTest, EndsAnAttempt) {
  const StudyId study = AddRunningJob();
  const AttemptKey key{study, TrialId{1}, 1};
  EndAttempt end = Exit(key, 3);
  end.signal = 9;
  MustCommit({end});
  const AttemptRecord attempt = Trial(study, 1).attempts[0];
  EXPECT_EQ(attempt.state, AttemptState::kExited);
  EXPECT_EQ(attempt.exit_code, 3);
  EXPECT_EQ(attempt.signal, 9);
  EXPECT_EQ(attempt.end_cause, TrialEndCause::kUserError);
  EXPECT_EQ(attempt.message, "the last lines");
  EXPECT_EQ(attempt.ended_at, At(2));
  EXPECT_EQ(attempt.lasted, std::chrono::microseconds(1500));
  EXPECT_EQ(Trial(study, 1).state, TrialState::kActive);
  EXPECT_EQ(Study(study).live_attempts, 0);

  Refuses(StatusCode::kFailedPrecondition, {Exit(key)});
  Refuses(StatusCode::kFailedPrecondition,
          {ObserveAttempt{key, AttemptEvent::kRun}});
}

TEST_P(StoreConformanceTest, KnowsTheStartOfAnAttemptThatNobodySawRun) {
  const StudyId study = AddJob();
  AddTrials(study, 4);
  const auto begin = [&](int trial) {
    const AttemptKey key{study, TrialId{trial}, 1};
    MustCommit({Launch(key), ObserveAttempt{key, AttemptEvent::kLaunch}});
    return key;
  };
  const EndAttempt exit = Exit(begin(1));
  ASSERT_TRUE(store().Commit({exit}, At(3)).ok());
  EXPECT_EQ(Trial(study, 1).attempts[0].running_at, At(3) - exit.lasted);
  EXPECT_EQ(Trial(study, 1).started_at, At(3) - exit.lasted);

  EndAttempt lost =
      End(begin(2), AttemptEvent::kLose, TrialEndCause::kInfrastructure);
  lost.lasted = std::chrono::microseconds(0);
  EndAttempt failed =
      End(begin(3), AttemptEvent::kExit, TrialEndCause::kLaunchFailed);
  failed.lasted = std::chrono::microseconds(1);
  const EndAttempt at_once = Exit(begin(4));
  MustCommit({lost, failed, at_once});
  EXPECT_EQ(Trial(study, 4).attempts[0].running_at, At(2))
      << "never before it was intended";
  for (const int trial : {2, 3}) {
    EXPECT_EQ(Trial(study, trial).attempts[0].running_at, std::nullopt);
    EXPECT_EQ(Trial(study, trial).started_at, std::nullopt);
  }
}

TEST_P(StoreConformanceTest, EndsAnAttemptOnlyByAnEnd) {
  const StudyId study = AddRunningJob();
  const AttemptKey key{study, TrialId{1}, 1};
  Refuses(StatusCode::kInvalidArgument, {End(key, AttemptEvent::kRun)});
  EndAttempt end = Exit(key);
  end.lasted = std::chrono::microseconds(-1);
  Refuses(StatusCode::kInvalidArgument, {end});
}

TEST_P(StoreConformanceTest, EndsATrialWithItsResult) {
  const StudyId study = AddRunningJob();
  Refuses(StatusCode::kFailedPrecondition, {Complete(study, TrialId{1}, 1)});
  MustCommit({Exit({study, TrialId{1}, 1}), Complete(study, TrialId{1}, -2.5)});
  const TrialRecord trial = Trial(study, 1);
  EXPECT_EQ(trial.state, TrialState::kCompleted);
  EXPECT_EQ(trial.end_cause, TrialEndCause::kSuccess);
  EXPECT_EQ(trial.final_measurement, (FinalMeasurement{10, -2.5}));
  EXPECT_EQ(trial.ended_at, At(2));
  EXPECT_TRUE(Study(study).open.empty());
  EXPECT_EQ(Study(study).ended.at(TrialEndCause::kSuccess), 1);
}

TEST_P(StoreConformanceTest, MovesATrialOnlyByItsTable) {
  const StudyId study = AddRunningJob(2);
  MustCommit({Exit({study, TrialId{1}, 1})});
  // Trial 1 is active, trial 2 requested.
  for (const auto& [trial, event] :
       {std::pair{1, TrialEvent::kConfirmStop},
        std::pair{2, TrialEvent::kReportFinal},
        std::pair{2, TrialEvent::kReportInfeasible},
        std::pair{2, TrialEvent::kGiveUp}}) {
    Refuses(StatusCode::kFailedPrecondition,
            {Move(study, TrialId{trial}, event, TrialEndCause::kUserError)});
  }
  Refuses(StatusCode::kInvalidArgument,
          {Move(study, TrialId{2}, TrialEvent::kLease)});
}

TEST_P(StoreConformanceTest, NeedsACauseAndAFiniteResult) {
  const StudyId study = AddRunningJob();
  MustCommit({Exit({study, TrialId{1}, 1})});
  MoveTrial move = Complete(study, TrialId{1}, 1);
  move.cause = TrialEndCause::kNone;
  Refuses(StatusCode::kInvalidArgument, {move});
  move = Complete(study, TrialId{1}, std::nan(""));
  Refuses(StatusCode::kInvalidArgument, {move});
  move.final_measurement = std::nullopt;
  Refuses(StatusCode::kInvalidArgument, {move});
}

TEST_P(StoreConformanceTest, SucceedsWithoutAMetricIfNothingIsTuned) {
  NewJob job = MakeJob({});
  JobSpec spec = *job.spec;
  spec.training_input.hyperparameters.reset();
  job.spec = std::make_shared<const JobSpec>(spec);
  job.spec_json =
      R"({"jobId":"job","labels":{"team":"red"},"trainingInput":{)"
      R"("scaleTier":"BASIC","region":"local","pythonModule":"m.task",)"
      R"("packageUris":["p.tar.gz"]}})";
  const StudyId study = store().CreateJob(job, At(1)).value();
  const AttemptKey key{study, TrialId{1}, 1};
  MustCommit({CreateTrials{study, {{{}, {"USER", {}}}}}, Launch(key), Exit(key),
              Move(study, TrialId{1}, TrialEvent::kReportFinal,
                   TrialEndCause::kSuccess)});
  EXPECT_EQ(Trial(study, 1).state, TrialState::kCompleted);
  EXPECT_FALSE(Trial(study, 1).final_measurement.has_value());
}

TEST_P(StoreConformanceTest, NeverChangesATerminalTrial) {
  const StudyId study = AddRunningJob();
  const AttemptKey key{study, TrialId{1}, 1};
  MustCommit({Exit(key), Move(study, TrialId{1}, TrialEvent::kGiveUp,
                              TrialEndCause::kUserError, "exit 1")});
  EXPECT_EQ(Trial(study, 1).state, TrialState::kFailed);
  EXPECT_EQ(Trial(study, 1).message, "exit 1");
  for (const TrialEvent event :
       {TrialEvent::kRequestStop, TrialEvent::kConfirmStop,
        TrialEvent::kReportFinal, TrialEvent::kReportInfeasible,
        TrialEvent::kGiveUp}) {
    Refuses(StatusCode::kFailedPrecondition,
            {Move(study, TrialId{1}, event, TrialEndCause::kCancelled)});
  }
  Refuses(StatusCode::kFailedPrecondition, {Launch({study, TrialId{1}, 2})});
  Refuses(StatusCode::kFailedPrecondition,
          {AddMeasurements{key, {Report(1, 1)}}});
}

TEST_P(StoreConformanceTest, StopsATrialInTwoSteps) {
  const StudyId study = AddRunningJob();
  MustCommit({Move(study, TrialId{1}, TrialEvent::kRequestStop)});
  EXPECT_EQ(Trial(study, 1).state, TrialState::kStopping);
  Refuses(StatusCode::kFailedPrecondition,
          {Move(study, TrialId{1}, TrialEvent::kConfirmStop,
                TrialEndCause::kStoppedEarly)});
  EndAttempt end = End({study, TrialId{1}, 1}, AttemptEvent::kKill);
  MoveTrial stop = Move(study, TrialId{1}, TrialEvent::kConfirmStop,
                        TrialEndCause::kStoppedEarly);
  stop.final_measurement = FinalMeasurement{3, 0.5};
  MustCommit({end, stop});
  EXPECT_EQ(Trial(study, 1).state, TrialState::kStopped);
  EXPECT_EQ(Trial(study, 1).final_measurement, (FinalMeasurement{3, 0.5}));
}

TEST_P(StoreConformanceTest, AStoppingTrialSaysWhyUntilItsEndSaysMore) {
  const StudyId study = AddRunningJob();
  const AttemptKey key{study, TrialId{1}, 1};
  MustCommit({Move(study, TrialId{1}, TrialEvent::kRequestStop,
                   TrialEndCause::kStoppedEarly, "too slow"),
              WantKill{key, TrialEndCause::kStoppedEarly}});
  EXPECT_EQ(Trial(study, 1).message, "too slow");
  EXPECT_EQ(Trial(study, 1).end_cause, TrialEndCause::kNone);
  EXPECT_NE(Events().at(Events().size() - 2).payload.find("too slow"),
            std::string::npos);
  MustCommit({Exit(key), Complete(study, TrialId{1}, 0.5)});
  EXPECT_EQ(Trial(study, 1).message, "");

  // Left as it is, for the check at the end of the test.
  const StudyId other = AddRunningJob(1, {.job_id = "other"});
  MustCommit({Move(other, TrialId{1}, TrialEvent::kRequestStop,
                   TrialEndCause::kStoppedEarly, "too slow, too")});
}

TEST_P(StoreConformanceTest, APausedTrialSaysWhyAndWhyItGoesOn) {
  const StudyId study = AddRunningJob();
  const AttemptKey key{study, TrialId{1}, 1};
  MustCommit({WantKill{key, TrialEndCause::kStoppedEarly, "It pauses."}});
  EXPECT_EQ(Trial(study, 1).attempts[0].message, "It pauses.");
  EXPECT_NE(Events().back().payload.find("It pauses."), std::string::npos);
  EndAttempt end = End(key, AttemptEvent::kKill, TrialEndCause::kStoppedEarly);
  end.message = "It pauses.";
  MustCommit({end});
  EXPECT_EQ(Trial(study, 1).state, TrialState::kActive);
  EXPECT_EQ(Study(study).live_attempts, 0);
  IntendLaunch resume = Launch({study, TrialId{1}, 2});
  resume.message = "It goes on.";
  MustCommit({resume});
  EXPECT_EQ(Trial(study, 1).attempts[1].message, "It goes on.");
  EXPECT_NE(Events().back().payload.find("It goes on."), std::string::npos);
  // Left as it is, for the check at the end of the test.
  MustCommit({WantKill{{study, TrialId{1}, 2},
                       TrialEndCause::kStoppedEarly,
                       "It pauses again."}});
  EXPECT_EQ(Trial(study, 1).attempts[1].message,
            "It pauses again. It goes on.");
}

TEST_P(StoreConformanceTest, RetriesWithTheSameParameters) {
  const StudyId study = AddRunningJob();
  const Parameters before = Trial(study, 1).parameters;
  MustCommit({End({study, TrialId{1}, 1}, AttemptEvent::kLose,
                  TrialEndCause::kInfrastructure),
              Launch({study, TrialId{1}, 2})});
  const TrialRecord trial = Trial(study, 1);
  ASSERT_EQ(trial.attempts.size(), 2u);
  EXPECT_EQ(trial.attempts[0].state, AttemptState::kLost);
  EXPECT_EQ(trial.attempts[1].number, 2);
  EXPECT_EQ(trial.parameters, before);
  EXPECT_EQ(trial.started_at, At(2));
}

}  // namespace
}  // namespace vernier
