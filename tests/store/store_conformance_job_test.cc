// What every Store does with jobs.

#include "tests/store/client_fixture.h"
#include "tests/store/store_conformance.h"

namespace vernier {
namespace {

using absl::StatusCode;

// A job that has one trial and is over.
std::vector<Change> Finish(StudyId study) {
  return {Move(study, TrialId{1}, TrialEvent::kRequestStop,
               TrialEndCause::kCancelled),
          MoveJob{study, JobEvent::kFail, "no luck"}};
}

TEST_P(StoreConformanceTest, AnEndThatWasAskedForIsNotTakenBack) {
  for (const JobWanted end : {JobWanted::kStop, JobWanted::kFail}) {
    const StudyId study = AddRunningJob(
        1, {.job_id = end == JobWanted::kStop ? "stopped" : "failed"});
    MustCommit({SetJobWanted{study, end, WantedCause::kUser, "enough"}});
    for (const JobWanted other : {JobWanted::kRun, JobWanted::kPause}) {
      Refuses(StatusCode::kFailedPrecondition,
              {SetJobWanted{study, other, WantedCause::kUser, "too late"}});
    }
    EXPECT_EQ(JobRunOf(Study(study)).wanted, end);
    EXPECT_EQ(JobRunOf(Study(study)).wanted_reason, "enough");
  }
}

TEST_P(StoreConformanceTest, RemembersANewJob) {
  const NewJob job = MakeJob({.job_id = "mine", .max_trials = 7});
  const StudyId study = store().CreateJob(job, At(5)).value();
  EXPECT_EQ(study, StudyId{1});
  const StudyRecord record = Study(study);
  EXPECT_EQ(record.name, "mine");
  EXPECT_EQ(JobRunOf(record).spec_json, job.spec_json);
  EXPECT_EQ(record.seed, job.seed);
  EXPECT_EQ(JobRunOf(record).max_trials, 7);
  EXPECT_EQ(record.labels,
            (std::map<std::string, std::string>{{"team", "red"}}));
  EXPECT_EQ(JobRunOf(record).state, JobState::kQueued);
  EXPECT_EQ(JobRunOf(record).wanted, JobWanted::kRun);
  EXPECT_EQ(JobRunOf(record).code_dir, "/code/1");
  EXPECT_EQ(JobRunOf(record).run_dir, "/runs/1");
  EXPECT_EQ(record.created_at, At(5));
  EXPECT_EQ(record.version, 1);
  EXPECT_EQ(EventKinds(), "job.created ");
}

TEST_P(StoreConformanceTest, RefusesAJobIdThatIsTaken) {
  AddJob({.job_id = "mine"});
  const std::string before = Everything();
  const auto again = store().CreateJob(MakeJob({.job_id = "mine"}), At(9));
  EXPECT_EQ(again.status().code(), StatusCode::kAlreadyExists);
  EXPECT_THAT(std::string(again.status().message()),
              testing::HasSubstr("mine"));
  EXPECT_EQ(Everything(), before);
}

TEST_P(StoreConformanceTest, ANameIsTakenInOneProject) {
  AddJob({.job_id = "mine"});
  NewJob other = MakeJob({.job_id = "mine"});
  other.project = "p1";
  const auto added = store().CreateJob(other, At(9));
  ASSERT_TRUE(added.ok()) << added.status();
  EXPECT_EQ(Study(*added).name, "mine@p1");
  EXPECT_EQ(store().CreateJob(other, At(9)).status().code(),
            StatusCode::kAlreadyExists);
  other.project = "p/2";
  EXPECT_EQ(store().CreateJob(other, At(9)).status().code(),
            StatusCode::kInvalidArgument);
}

TEST_P(StoreConformanceTest, CountsTheStudiesOfAProject) {
  const auto add = [&](const std::string& name, const std::string& project,
                       const std::string& request = "") {
    NewJob job = MakeJob({.job_id = name, .request_id = request});
    job.project = project;
    job.max_studies = 2;
    return store().CreateJob(job, At(1)).status().code();
  };
  EXPECT_EQ(add("a", "p1", "r"), StatusCode::kOk);
  NewStudy study = MakeClientStudy({.name = "owners/p1/studies/s"});
  study.max_studies = 2;
  ASSERT_TRUE(store().CreateStudy(study, At(1)).ok());
  EXPECT_EQ(add("b", "p1"), StatusCode::kResourceExhausted);
  EXPECT_EQ(add("b", "p2"), StatusCode::kOk);
  EXPECT_EQ(add("a", "p1", "r"), StatusCode::kOk) << "a repeated request";
  study.name = "projects/p1/locations/l/studies/s";
  EXPECT_EQ(store().CreateStudy(study, At(1)).status().code(),
            StatusCode::kResourceExhausted);
  const StudyId first{1};
  ASSERT_TRUE(store()
                  .Commit({MoveJob{first, JobEvent::kFail, "no luck"},
                           DeleteJob{first}},
                          At(2))
                  .ok());
  EXPECT_EQ(add("b", "p1"), StatusCode::kOk);
}

TEST_P(StoreConformanceTest, AnswersARepeatedRequestAsTheFirst) {
  const JobOptions options{.job_id = "mine", .request_id = "r-1"};
  const StudyId first = AddJob(options);
  NewJob again = MakeJob(options);
  again.seed = 1;  // Drawn anew by a client that tries again.
  const std::string before = Everything();
  EXPECT_EQ(store().CreateJob(again, At(9)).value(), first);
  EXPECT_EQ(Everything(), before);

  const auto other = store().CreateJob(
      MakeJob({.job_id = "other", .request_id = "r-1"}), At(9));
  EXPECT_EQ(other.status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(Everything(), before);
}

TEST_P(StoreConformanceTest, RefusesAJobWithoutSpec) {
  NewJob job = MakeJob({});
  job.spec = nullptr;
  EXPECT_EQ(store().CreateJob(job, At(1)).status().code(),
            StatusCode::kInvalidArgument);
}

TEST_P(StoreConformanceTest, ResumesOnlyAStudyThatExists) {
  const StudyId first = AddJob({.job_id = "first"});
  NewJob job = MakeJob({.job_id = "second"});
  job.resumed_study = StudyId{77};
  EXPECT_EQ(store().CreateJob(job, At(1)).status().code(),
            StatusCode::kNotFound);
  job.resumed_study = first;
  const StudyId second = store().CreateJob(job, At(1)).value();
  EXPECT_EQ(JobRunOf(Study(second)).resumed_study, first);
}

TEST_P(StoreConformanceTest, MovesAJobThroughItsLife) {
  const StudyId study = AddJob();
  MustCommit({MoveJob{study, JobEvent::kPrepare, ""}});
  EXPECT_EQ(JobRunOf(Study(study)).state, JobState::kPreparing);
  EXPECT_FALSE(JobRunOf(Study(study)).started_at.has_value());
  MustCommit({MoveJob{study, JobEvent::kRun, ""}});
  EXPECT_EQ(JobRunOf(Study(study)).started_at, At(2));
  MustCommit({MoveJob{study, JobEvent::kFail, "it broke"}});
  EXPECT_EQ(JobRunOf(Study(study)).state, JobState::kFailed);
  EXPECT_EQ(JobRunOf(Study(study)).error_message, "it broke");
  EXPECT_EQ(JobRunOf(Study(study)).ended_at, At(2));
  EXPECT_GT(Study(study).version, 1);

  MustCommit({MoveJob{study, JobEvent::kReopen, ""}});
  const StudyRecord reopened = Study(study);
  EXPECT_EQ(JobRunOf(reopened).state, JobState::kQueued);
  EXPECT_EQ(JobRunOf(reopened).wanted, JobWanted::kRun);
  EXPECT_EQ(JobRunOf(reopened).error_message, "");
  EXPECT_FALSE(JobRunOf(reopened).ended_at.has_value());
}

TEST_P(StoreConformanceTest, RefusesAnIllegalMoveOfAJob) {
  const StudyId study = AddJob();
  Refuses(StatusCode::kFailedPrecondition,
          {MoveJob{study, JobEvent::kConfirmCancel, ""}});
  Refuses(StatusCode::kFailedPrecondition,
          {MoveJob{study, JobEvent::kReopen, ""}});
}

TEST_P(StoreConformanceTest, EndsAJobOnlyAfterItsTrials) {
  const StudyId study = AddJob();
  AddTrials(study, 1);
  Refuses(StatusCode::kFailedPrecondition,
          {MoveJob{study, JobEvent::kFail, ""}});
  MustCommit({MoveJob{study, JobEvent::kRequestCancel, "by ann"}});
  Refuses(StatusCode::kFailedPrecondition,
          {MoveJob{study, JobEvent::kConfirmCancel, ""}});
  MustCommit({Move(study, TrialId{1}, TrialEvent::kRequestStop,
                   TrialEndCause::kCancelled),
              MoveJob{study, JobEvent::kConfirmCancel, ""}});
  EXPECT_EQ(JobRunOf(Study(study)).state, JobState::kCancelled);
}

TEST_P(StoreConformanceTest, SetsWhatIsWantedUntilTheEnd) {
  const StudyId study = AddJob();
  AddTrials(study, 1);
  MustCommit(
      {SetJobWanted{study, JobWanted::kPause, WantedCause::kUser, "by ann"}});
  EXPECT_EQ(JobRunOf(Study(study)).wanted, JobWanted::kPause);
  EXPECT_EQ(JobRunOf(Study(study)).wanted_reason, "by ann");
  MustCommit(Finish(study));
  Refuses(StatusCode::kFailedPrecondition,
          {SetJobWanted{study, JobWanted::kRun, WantedCause::kUser, ""}});
}

TEST_P(StoreConformanceTest, GuardsLabelsByVersion) {
  const StudyId study = AddJob();
  const std::int64_t version = Study(study).version;
  MustCommit({UpdateLabels{study, {{"a", "1"}}, version}});
  EXPECT_EQ(Study(study).labels.at("a"), "1");
  EXPECT_EQ(Study(study).labels.count("team"), 0u);
  Refuses(StatusCode::kAborted, {UpdateLabels{study, {{"a", "2"}}, version}});
  MustCommit({UpdateLabels{study, {}, std::nullopt}});
  EXPECT_TRUE(Study(study).labels.empty());
}

TEST_P(StoreConformanceTest, EveryStudyHasANoteInEveryState) {
  const StudyId job = AddJob();
  AddTrials(job, 1);
  MustCommit({WriteNote{job, "a baseline\nof \"ann\""}});
  EXPECT_EQ(Study(job).note, "a baseline\nof \"ann\"");
  MustCommit(Finish(job));
  MustCommit({WriteNote{job, ""}});
  EXPECT_EQ(Study(job).note, "");
  const StudyId study = AddClientStudy();
  MustCommit({MoveStudy{study, StudyState::kCompleted, ""}});
  MustCommit({WriteNote{study, std::string(kMostNoteBytes, 'n')}});
  EXPECT_EQ(Study(study).note.size(), kMostNoteBytes);
  Refuses(StatusCode::kInvalidArgument,
          {WriteNote{study, std::string(kMostNoteBytes + 1, 'n')}});
  Refuses(StatusCode::kInvalidArgument, {WriteNote{study, "\xff"}});
  Refuses(StatusCode::kNotFound, {WriteNote{StudyId{9}, "n"}});
  EXPECT_EQ(Study(study).note.size(), kMostNoteBytes);
}

TEST_P(StoreConformanceTest, OnlyRaisesMaxTrials) {
  const StudyId study = AddJob({.max_trials = 5});
  Refuses(StatusCode::kFailedPrecondition, {ExtendJob{study, 4}});
  const EventSequence before = store().LastEvent();
  MustCommit({ExtendJob{study, 5}});
  EXPECT_EQ(store().LastEvent(), before);
  MustCommit({ExtendJob{study, 9}});
  EXPECT_EQ(JobRunOf(Study(study)).max_trials, 9);
  AddTrials(study, 9);
}

TEST_P(StoreConformanceTest, ChecksAJobPointWithoutEventOrVersion) {
  const StudyId study = AddJob();
  const EventSequence before = store().LastEvent();
  using std::chrono::microseconds;
  MustCommit({CheckpointJob{study, microseconds(5), microseconds(7)},
              CountFailures{study, 4, 2}});
  const StudyRecord job = Study(study);
  EXPECT_EQ(JobRunOf(job).waited_for, microseconds(5));
  EXPECT_EQ(JobRunOf(job).ran_for, microseconds(7));
  EXPECT_EQ(JobRunOf(job).consecutive_failures, 4);
  EXPECT_EQ(JobRunOf(job).consecutive_instant_failures, 2);
  EXPECT_EQ(job.version, 1);
  EXPECT_EQ(store().LastEvent(), before);
  Refuses(StatusCode::kInvalidArgument,
          {CheckpointJob{study, microseconds(-1), microseconds(7)}});
  Refuses(StatusCode::kInvalidArgument, {CountFailures{study, -1, 0}});
  Refuses(StatusCode::kInvalidArgument, {CountFailures{study, 0, -1}});
}

TEST_P(StoreConformanceTest, AJobThatGoesOnBeginsItsFailureCountsAnew) {
  const StudyId study = AddRunningJob();
  const AttemptKey key{study, TrialId{1}, 1};
  MustCommit(
      {Exit(key, 1),
       Move(study, TrialId{1}, TrialEvent::kGiveUp, TrialEndCause::kUserError),
       CountFailures{study, 4, 2},
       SetJobWanted{study, JobWanted::kRun, WantedCause::kUser,
                    "it did before"}});
  EXPECT_EQ(JobRunOf(Study(study)).consecutive_failures, 4);
  EXPECT_TRUE(JobRunOf(Study(study)).ended_before_resume.empty());

  MustCommit({SetJobWanted{study, JobWanted::kPause, WantedCause::kUser, ""}});
  EXPECT_EQ(JobRunOf(Study(study)).consecutive_failures, 4);
  MustCommit({SetJobWanted{study, JobWanted::kRun, WantedCause::kUser, ""}});
  const std::map<TrialEndCause, int> one = {{TrialEndCause::kUserError, 1}};
  EXPECT_EQ(JobRunOf(Study(study)).consecutive_failures, 0);
  EXPECT_EQ(JobRunOf(Study(study)).consecutive_instant_failures, 0);
  EXPECT_EQ(JobRunOf(Study(study)).ended_before_resume, one);

  const StudyId failed = AddRunningJob(1, {.job_id = "failed"});
  MustCommit(
      {Exit({failed, TrialId{1}, 1}, 1),
       Move(failed, TrialId{1}, TrialEvent::kGiveUp, TrialEndCause::kUserError),
       CountFailures{failed, 1, 1},
       MoveJob{failed, JobEvent::kFail, "it broke"}});
  EXPECT_EQ(JobRunOf(Study(failed)).consecutive_failures, 1);
  MustCommit({MoveJob{failed, JobEvent::kReopen, ""}});
  EXPECT_EQ(JobRunOf(Study(failed)).consecutive_failures, 0);
  EXPECT_EQ(JobRunOf(Study(failed)).ended_before_resume, one);
}

TEST_P(StoreConformanceTest, DeletesAFinishedJobButNotItsHistory) {
  const StudyId study =
      AddRunningJob(1, {.job_id = "mine", .request_id = "r-1"});
  const AttemptKey key{study, TrialId{1}, 1};
  Refuses(StatusCode::kFailedPrecondition, {DeleteJob{study}});
  MustCommit({AddMeasurements{key, {Report(1, 2)}}, Exit(key),
              Complete(study, TrialId{1}, 2),
              MoveJob{study, JobEvent::kSucceed, ""}});
  const std::vector<Event> before = Events();
  MustCommit({DeleteJob{study}});
  EXPECT_TRUE(store().Snapshot()->empty());
  EXPECT_EQ(Events().size(), before.size() + 1);
  EXPECT_EQ(Events().back().kind, "job.deleted");
  EXPECT_EQ(store().ListMeasurements(study, TrialId{1}, "", 9).status().code(),
            StatusCode::kNotFound);

  // The name is free, the study id is not, and a late repetition of the
  // request does not bring the job back.
  EXPECT_EQ(
      store()
          .CreateJob(MakeJob({.job_id = "mine", .request_id = "r-1"}), At(9))
          .value(),
      study);
  EXPECT_TRUE(store().Snapshot()->empty());
  EXPECT_EQ(AddJob({.job_id = "mine"}), StudyId{ToInt(study) + 1});
  EXPECT_EQ(Study(StudyId{2}).trials.size(), 0u);
}

TEST_P(StoreConformanceTest, DeletesInTheCommitThatEndsTheJob) {
  const StudyId study = AddJob();
  MustCommit({CreateTrials{study, {MakeTrial(0)}},
              Move(study, TrialId{1}, TrialEvent::kRequestStop,
                   TrialEndCause::kCancelled),
              MoveJob{study, JobEvent::kFail, "x"}, DeleteJob{study}});
  EXPECT_TRUE(store().Snapshot()->empty());
}

}  // namespace
}  // namespace vernier
