// What every Store does with versions of a job, and with a job that takes the
// place of another.

#include "store/objective_values.h"
#include "store/present_space.h"
#include "tests/store/client_fixture.h"
#include "tests/store/store_conformance.h"

namespace vernier {
namespace {

using absl::StatusCode;

constexpr TrialId kFirst{1};

TEST_P(StoreConformanceTest, RevisesAJob) {
  const StudyId study = AddJob({.job_id = "mine", .max_trials = 7});
  const NewJob before = MakeJob({.job_id = "mine", .max_trials = 7});
  ReviseJob change = Revise(
      study, 1, {.job_id = "mine", .max_trials = 9, .max_parallel_trials = 5});
  change.made_up_trials = 2;
  ASSERT_TRUE(store().Commit({change}, At(8)).ok());
  const StudyRecord job = Study(study);
  EXPECT_EQ(JobRunOf(job).code_version, 2);
  EXPECT_EQ(JobRunOf(job).spec_json, change.spec_json);
  EXPECT_EQ(
      JobRunOf(job).spec->training_input.hyperparameters->max_parallel_trials,
      5);
  EXPECT_EQ(JobRunOf(job).code_dir, "/code/2");
  EXPECT_EQ(JobRunOf(job).code_digest, "digest 2");
  EXPECT_EQ(JobRunOf(job).version_changes, "new code");
  EXPECT_EQ(JobRunOf(job).version_at, At(8));
  EXPECT_EQ(JobRunOf(job).max_trials, 9);
  EXPECT_EQ(JobRunOf(job).made_up_trials, 2);
  EXPECT_EQ(job.labels.at("team"), "blue");
  EXPECT_EQ(job.version, 2) << "an etag that was read before is stale";
  ASSERT_EQ(JobRunOf(job).earlier_versions.size(), 1u);
  const JobVersion& earlier = *JobRunOf(job).earlier_versions[0];
  EXPECT_EQ(earlier.number, 1);
  EXPECT_EQ(earlier.spec_json, before.spec_json);
  EXPECT_EQ(earlier.code_dir, "/code/1");
  EXPECT_EQ(earlier.created_at, At(1));
  EXPECT_EQ(EventKinds(), "job.created job.revised ");
}

TEST_P(StoreConformanceTest, ARevisionKeepsWhatTheJobSearches) {
  const StudyId study = AddJob();
  ReviseJob change = Revise(study, 1, {.goal = Goal::kMinimize});
  Refuses(StatusCode::kInvalidArgument, {change});
  change = Revise(study, 1, {.job_id = "other"});
  Refuses(StatusCode::kInvalidArgument, {change});
  change = Revise(study, 1, {});
  JobSpec spec = *change.spec;
  spec.training_input.hyperparameters->params[0].type = ParameterType::kInteger;
  change.spec = std::make_shared<const JobSpec>(spec);
  Refuses(StatusCode::kFailedPrecondition, {change});
  change.spec = nullptr;
  Refuses(StatusCode::kInvalidArgument, {change});
}

// Its only parameter, whose range is [0, 1], gets another range.
ReviseJob Narrow(StudyId study, int version, const std::string& max_value) {
  ReviseJob change = Revise(study, version, {});
  const std::string whole = R"("maxValue":1)";
  const std::size_t at = change.spec_json.find(whole);
  EXPECT_NE(at, std::string::npos) << change.spec_json;
  change.spec_json.replace(at, whole.size(), R"("maxValue":)" + max_value);
  change.spec = std::make_shared<const JobSpec>(
      ParseJob(change.spec_json, {}).value().spec);
  return change;
}

NewTrial Suggested(double rate) {
  return {{{"rate", rate}}, {"SOBOL", EventSequence{1}}};
}

TEST_P(StoreConformanceTest, AnEditDropsWhatWasSuggestedAndNeverStarted) {
  const StudyId study = AddJob();
  MustCommit({CreateTrials{
      study,
      {Suggested(0.9), Suggested(0.9), Suggested(0.2), MakeTrialByHand(0.9)}}});
  const AttemptKey running{study, kFirst, 1};
  MustCommit({Launch(running), ObserveAttempt{running, AttemptEvent::kRun}});
  MustCommit({Narrow(study, 1, "0.5")});
  EXPECT_TRUE(PresentSpace(Study(study)).edits().has_value());
  EXPECT_EQ(Study(study).spec->parameters[0].max_value, 0.5);
  EXPECT_EQ(Trial(study, 1).state, TrialState::kActive) << "it runs on";
  EXPECT_EQ(Trial(study, 2).state, TrialState::kStopped);
  EXPECT_EQ(Trial(study, 2).end_cause, TrialEndCause::kCancelled);
  EXPECT_EQ(Trial(study, 3).state, TrialState::kRequested);
  EXPECT_EQ(Trial(study, 4).state, TrialState::kRequested) << "by hand";
  EXPECT_EQ(JobRunOf(Study(study)).max_trials, 9) << "another takes its place";
  EXPECT_EQ(JobRunOf(Study(study)).made_up_trials, 1);
}

TEST_P(StoreConformanceTest, APointFromBeforeAnEditIsRefused) {
  const StudyId study = AddJob();
  MustCommit({Narrow(study, 1, "0.5")});
  Refuses(StatusCode::kAborted, {CreateTrials{study, {Suggested(0.9)}}});
  MustCommit({CreateTrials{study, {Suggested(0.4)}},
              CreateTrials{study, {MakeTrialByHand(0.9)}}});
  MustCommit({Narrow(study, 2, "1")});
  MustCommit({CreateTrials{study, {Suggested(0.9)}}});
  EXPECT_TRUE(PresentSpace(Study(study)).edits().has_value())
      << "undone, not forgotten";
}

// Its name was wrong.
TEST_P(StoreConformanceTest, AMetricWithoutValuesMayBecomeAnother) {
  const StudyId study = AddJob();
  AddTrials(study, 1);
  const auto measure = [&](int version, const std::string& metric) {
    ReviseJob change = Revise(study, version, {});
    JobSpec spec = *change.spec;
    spec.training_input.hyperparameters->metric_tag = metric;
    change.spec = std::make_shared<const JobSpec>(spec);
    const std::size_t at = change.spec_json.find("\"loss\"");
    EXPECT_NE(at, std::string::npos) << change.spec_json;
    change.spec_json.replace(at, 6, "\"" + metric + "\"");
    return change;
  };
  MustCommit({measure(1, "accuracy")});
  const AttemptKey first{study, kFirst, 1};
  // Of the right name, while it was not the study's: it does not count.
  MustCommit({Launch(first), ObserveAttempt{first, AttemptEvent::kRun},
              AddMeasurements{first, {Report(1, 0.7)}}});
  EXPECT_TRUE(MayHaveValues(Study(study))) << "one may come";
  Refuses(StatusCode::kInvalidArgument, {measure(2, "loss")});
  MustCommit({End(first, AttemptEvent::kExit)});
  EXPECT_FALSE(MayHaveValues(Study(study)));
  MustCommit({measure(2, "loss")});
  const AttemptKey second{study, kFirst, 2};
  MustCommit({Launch(second), ObserveAttempt{second, AttemptEvent::kRun},

              AddMeasurements{second, {Report(1, 0.5)}},
              End(second, AttemptEvent::kExit)});
  EXPECT_TRUE(MayHaveValues(Study(study))) << "one has come";
  EXPECT_EQ(Trial(study, 1).objective.finite_count, 1);
  Refuses(StatusCode::kInvalidArgument, {measure(3, "accuracy")});
}

TEST_P(StoreConformanceTest, OneOfTwoRevisionsOfAVersionIsRefused) {
  const StudyId study = AddJob();
  MustCommit({Revise(study, 1, {})});
  Refuses(StatusCode::kAborted, {Revise(study, 1, {})});
  MustCommit({Revise(study, 2, {})});
  EXPECT_EQ(JobRunOf(Study(study)).code_version, 3);
}

TEST_P(StoreConformanceTest, ARepeatedRevisionChangesNothing) {
  const StudyId study = AddJob();
  MustCommit({Revise(study, 1, {.request_id = "r"})});
  const std::string before = Everything();
  MustCommit({Revise(study, 1, {.request_id = "r"})});
  EXPECT_EQ(Everything(), before);
  Refuses(StatusCode::kInvalidArgument,
          {Revise(study, 2, {.max_trials = 5, .request_id = "r"})});
}

TEST_P(StoreConformanceTest, ARevisionMayLowerMaxTrialsToWhatThereIs) {
  const StudyId study = AddJob({.max_trials = 8});
  AddTrials(study, 2);
  MustCommit({QueuePoints{study, {{{"rate", 0.5}}}}});
  Refuses(StatusCode::kFailedPrecondition,
          {Revise(study, 1, {.max_trials = 2})});
  MustCommit({Revise(study, 1, {.max_trials = 3})});
  EXPECT_EQ(JobRunOf(Study(study)).max_trials, 3);
}

TEST_P(StoreConformanceTest, AnAttemptRunsTheVersionThatItWasIntendedWith) {
  const StudyId study = AddJob();
  AddTrials(study, 2);
  const AttemptKey old{study, kFirst, 1};
  MustCommit({Launch(old), Revise(study, 1, {})});
  MustCommit({Launch({study, TrialId{2}, 1})});
  MustCommit({Exit(old, 1), Launch({study, kFirst, 2})});
  const StudySnapshot now = Study(study);
  EXPECT_EQ(now.trials.Get(kFirst).attempts[0].code_version, 1);
  EXPECT_EQ(now.trials.Get(kFirst).attempts[1].code_version, 2);
  EXPECT_EQ(now.trials.Get(TrialId{2}).attempts[0].code_version, 2);
}

TEST_P(StoreConformanceTest, FewerMayRunAtOnceThanAlreadyDo) {
  const StudyId study = AddJob({.max_parallel_trials = 2});
  AddTrials(study, 3);
  MustCommit({Launch({study, kFirst, 1}), Launch({study, TrialId{2}, 1}),
              Revise(study, 1, {.max_parallel_trials = 1})});
  Refuses(StatusCode::kFailedPrecondition, {Launch({study, TrialId{3}, 1})});
}

TEST_P(StoreConformanceTest, CountsWhatEndedWithAnEarlierVersion) {
  const StudyId study = AddJob();
  AddTrials(study, 3);
  const AttemptKey first{study, kFirst, 1};
  const AttemptKey second{study, TrialId{2}, 1};
  const auto fail = [&](TrialId trial) {
    return Move(study, trial, TrialEvent::kGiveUp, TrialEndCause::kUserError);
  };
  MustCommit({Launch(first), Launch(second), Exit(first, 1), fail(kFirst),
              Revise(study, 1, {})});
  EXPECT_EQ(Study(study).ended_earlier.at(TrialEndCause::kUserError), 1);
  MustCommit({Exit(second, 1), fail(TrialId{2})});
  EXPECT_EQ(Study(study).ended_earlier.at(TrialEndCause::kUserError), 2)
      << "its attempt ran the old one";
  const AttemptKey third{study, TrialId{3}, 1};
  MustCommit({Launch(third), Exit(third, 1), fail(TrialId{3})});
  EXPECT_EQ(Study(study).ended_earlier.at(TrialEndCause::kUserError), 2);
  EXPECT_EQ(Study(study).ended.at(TrialEndCause::kUserError), 3);
}

TEST_P(StoreConformanceTest, RestartsWhatRunsAnEarlierVersion) {
  const StudyId study = AddJob();
  AddTrials(study, 3);
  MustCommit({Launch({study, kFirst, 1}), Launch({study, TrialId{2}, 1}),
              Move(study, TrialId{2}, TrialEvent::kRequestStop)});
  MustCommit({Revise(study, 1, {}), Launch({study, TrialId{3}, 1}),
              RestartOutdated{study}});
  const StudySnapshot now = Study(study);
  const auto wanted = [&](std::int64_t trial) {
    return now.trials.Get(TrialId{trial}).attempts[0].kill_wanted;
  };
  EXPECT_TRUE(wanted(1));
  EXPECT_FALSE(wanted(2)) << "it stops anyhow";
  EXPECT_FALSE(wanted(3)) << "it runs the newest version";
  EXPECT_EQ(now.trials.Get(kFirst).attempts[0].kill_cause,
            TrialEndCause::kCancelled);
}

TEST_P(StoreConformanceTest, SaysWhetherAProgramWasEverStarted) {
  const StudyId study = AddJob();
  AddTrials(study, 1);
  EXPECT_FALSE(HasEverRun(Study(study)));
  const AttemptKey first{study, kFirst, 1};
  EndAttempt refused = End(first, AttemptEvent::kExit);
  refused.cause = TrialEndCause::kLaunchFailed;
  refused.exit_code = 127;
  MustCommit({Launch(first), refused});
  EXPECT_FALSE(HasEverRun(Study(study)));
  EXPECT_FALSE(IsVersionAlive(Study(study), 1));
  const AttemptKey second{study, kFirst, 2};
  MustCommit({Launch(second)});
  EXPECT_FALSE(HasEverRun(Study(study))) << "only intended";
  EXPECT_TRUE(IsVersionAlive(Study(study), 1));
  MustCommit({ObserveAttempt{second, AttemptEvent::kRun}});
  EXPECT_TRUE(HasEverRun(Study(study)));
}

TEST_P(StoreConformanceTest, AJobTakesThePlaceOfOneThatNeverRan) {
  const StudyId old = AddJob({.job_id = "mine"});
  AddTrials(old, 3);
  const AttemptKey first{old, kFirst, 1};
  EndAttempt refused = End(first, AttemptEvent::kExit);
  refused.cause = TrialEndCause::kLaunchFailed;
  MustCommit({Launch(first), refused});
  NewJob job = MakeJob({.job_id = "mine", .goal = Goal::kMinimize});
  job.replaces = old;
  job.request_id = "again";
  const auto added = store().CreateJob(job, At(9));
  ASSERT_TRUE(added.ok()) << added.status();
  EXPECT_EQ(store().Snapshot()->count(old), 0u);
  EXPECT_EQ(Study(*added).name, "mine");
  EXPECT_EQ(Study(*added).trials.size(), 0u);
  const std::string before = Everything();
  EXPECT_EQ(store().CreateJob(job, At(9)).value(), *added) << "repeated";
  EXPECT_EQ(Everything(), before);
}

TEST_P(StoreConformanceTest, AJobThatRanIsNotReplaced) {
  const StudyId old = AddJob({.job_id = "mine"});
  AddTrials(old, 1);
  const AttemptKey first{old, kFirst, 1};
  NewJob job = MakeJob({.job_id = "mine"});
  job.replaces = old;
  MustCommit({Launch(first)});
  EXPECT_EQ(store().CreateJob(job, At(9)).status().code(),
            StatusCode::kFailedPrecondition)
      << "it may start at any moment";
  MustCommit({Exit(first, 1)});
  const std::string before = Everything();
  EXPECT_EQ(store().CreateJob(job, At(9)).status().code(),
            StatusCode::kFailedPrecondition);
  NewJob other = MakeJob({.job_id = "other"});
  other.replaces = old;
  EXPECT_EQ(store().CreateJob(other, At(9)).status().code(),
            StatusCode::kFailedPrecondition);
  EXPECT_EQ(Everything(), before);
}

TEST_P(StoreConformanceTest, OnlyAJobIsRevised) {
  const StudyId study = AddClientStudy();
  Refuses(StatusCode::kFailedPrecondition, {Revise(study, 1, {})});
  Refuses(StatusCode::kFailedPrecondition, {RestartOutdated{study}});
}

}  // namespace
}  // namespace vernier
