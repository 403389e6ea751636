// What every Store does with studies that clients run.

#include <cmath>

#include "tests/store/store_conformance.h"

namespace vernier {
namespace {

using absl::StatusCode;

TEST_P(StoreConformanceTest, AClientStudyIsNoJob) {
  const StudyId study =
      AddClientStudy({.metrics = 2, .metadata = {{{"", "k"}, {true, "v"}}}});
  const StudySnapshot made = Study(study);
  EXPECT_EQ(made.name, "owners/me/studies/a study");
  ASSERT_FALSE(IsJob(made));
  EXPECT_EQ(ClientRunOf(made).state, StudyState::kActive);
  EXPECT_EQ(made.spec->metrics.size(), 2u);
  EXPECT_EQ(ObjectiveOf(*made.spec).name, "loss");
  EXPECT_EQ(ClientRunOf(made).original->bytes.size(), 8u);
  EXPECT_EQ(made.metadata->at({"", "k"}).value, "v");
  EXPECT_EQ(EventKinds(), "study.created study.metadata ");
}

TEST_P(StoreConformanceTest, StudiesAndJobsShareOneSequence) {
  EXPECT_EQ(ToInt(AddJob()), 1);
  EXPECT_EQ(ToInt(AddClientStudy()), 2);
  EXPECT_EQ(ToInt(AddJob({.job_id = "other"})), 3);
}

TEST_P(StoreConformanceTest, TheNameOfAStudyIsTakenUntilItIsDeleted) {
  const StudyId study = AddRunningStudy();
  EXPECT_EQ(store().CreateStudy(MakeClientStudy(), At(2)).status().code(),
            StatusCode::kAlreadyExists);
  MustCommit({DeleteStudy{study}});
  EXPECT_EQ(store().Snapshot()->count(study), 0u);
  EXPECT_EQ(ToInt(AddClientStudy()), 2);
}

TEST_P(StoreConformanceTest, AStudyNeedsAResourceNameAndAValidSpec) {
  for (const char* name :
       {"", "plain", "owners/a", "/studies/x", "owners/a/studies/",
        "owners/a/studies/x/trials/1", "owners/a/studies/\xff"}) {
    EXPECT_EQ(store()
                  .CreateStudy(MakeClientStudy({.name = name}), At(2))
                  .status()
                  .code(),
              StatusCode::kInvalidArgument)
        << name;
  }
  NewStudy study = MakeClientStudy();
  study.spec = std::make_shared<const StudySpec>();
  EXPECT_EQ(store().CreateStudy(study, At(2)).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(EventKinds(), "");
}

TEST_P(StoreConformanceTest, ARequestIdIsBoundToTheTrialThatItMade) {
  const StudyId study = AddClientStudy();
  MustCommit({CreateTrials{study, {MakeClientTrial(0.5)}}});
  CreateTrials create{study, {MakeClientTrial(0.25)}};
  create.request_id = "r";
  create.request_digest = 7;
  EXPECT_EQ(store().FindRequest("r").status().code(), StatusCode::kNotFound);
  MustCommit({create});
  EXPECT_EQ(store().Commit({create}, At(2)).code(), StatusCode::kAlreadyExists);
  EXPECT_EQ(store().FindRequest("r")->trial, TrialId{2});
  EXPECT_EQ(store().FindRequest("r")->study, study);
  create.request_digest = 8;
  EXPECT_EQ(store().Commit({create}, At(2)).code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(Study(study).trials.size(), 2u);
}

TEST_P(StoreConformanceTest, AReportThatMayBeRepeatedIsStoredOnce) {
  const StudyId study = AddRunningStudy();
  const AttemptKey key = Reporter(study, 1);
  for (const int second : {2, 3}) {
    MustCommit({AddMeasurements{key,
                                {{"loss", 1, At(second), 0.5},
                                 {"loss", 3, At(second), std::nan("")},
                                 {"loss", 2, At(second), 0.5}},
                                true}});
  }
  EXPECT_EQ(store().ListMeasurements(study, TrialId{1}, "", 9)->size(), 3u);
}

TEST_P(StoreConformanceTest, AClientGetsATrialForGood) {
  const StudyId study = AddRunningStudy();
  EXPECT_EQ(Trial(study, 1).state, TrialState::kActive);
  EXPECT_EQ(Trial(study, 1).client_id, "c");
  EXPECT_TRUE(Trial(study, 1).started_at.has_value());
  Refuses(StatusCode::kFailedPrecondition, {Assign(study, 1, "d")[0]});
  EXPECT_EQ(Trial(study, 2).client_id, "");
}

TEST_P(StoreConformanceTest, AClientsTrialHasNoAttempts) {
  const StudyId study = AddRunningStudy();
  EXPECT_TRUE(Trial(study, 1).attempts.empty());
  MustCommit({AddMeasurements{Reporter(study, 1), {Report(1, 0.5)}}});
  EXPECT_EQ(Trial(study, 1).objective.last_attempt, 0);
  EXPECT_EQ(Study(study).live_attempts, 0);
  Refuses(StatusCode::kNotFound,
          {AddMeasurements{{study, TrialId{1}, 1}, {Report(2, 0.5)}}});
  const std::vector<Measurement> reports =
      store().ListMeasurements(study, TrialId{1}, "", 9).value();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].attempt, 0);
}

TEST_P(StoreConformanceTest, NobodyReportsOfATrialThatNobodyRuns) {
  const StudyId study = AddRunningStudy();
  Refuses(StatusCode::kFailedPrecondition,
          {AddMeasurements{Reporter(study, 2), {Report(1, 0.5)}}});
  const StudyId job = AddRunningJob();
  Refuses(StatusCode::kNotFound,
          {AddMeasurements{Reporter(job, 1), {Report(1, 0.5)}}});
}

TEST_P(StoreConformanceTest, OnlyClientStudiesHaveClients) {
  const StudyId study = AddJob();
  AddTrials(study, 1);
  Refuses(StatusCode::kFailedPrecondition, {Assign(study, 1, "c")[0]});
}

TEST_P(StoreConformanceTest, AnEndKeepsAllMetrics) {
  const StudyId study = AddRunningStudy();
  MustCommit(CompleteForClient(study, 1, 0.5));
  const TrialRecord trial = Trial(study, 1);
  EXPECT_EQ(trial.state, TrialState::kCompleted);
  EXPECT_EQ(trial.final_measurement->value, 0.5);
  ASSERT_TRUE(trial.final_report.has_value());
  EXPECT_EQ(trial.final_report->metrics[1].metric, "extra");
  EXPECT_EQ(trial.final_report->metrics[1].value, 1.0);
  EXPECT_EQ(trial.final_report->elapsed, std::chrono::seconds(3));
}

TEST_P(StoreConformanceTest, AJobsTrialHasNoFinalReport) {
  const StudyId study = AddRunningJob();
  MustCommit({Exit({study, TrialId{1}, 1})});
  const std::vector<Change> changes = CompleteForClient(study, 1, 0.5);
  Refuses(StatusCode::kInvalidArgument, changes);
}

TEST_P(StoreConformanceTest, OnlyAClientEndsAStoppingTrialAsInfeasible) {
  const MoveTrial infeasible{StudyId{1},
                             TrialId{1},
                             TrialEvent::kReportInfeasible,
                             TrialEndCause::kInfeasible,
                             "diverged",
                             std::nullopt};
  const StudyId study = AddRunningStudy();
  MustCommit({Move(study, TrialId{1}, TrialEvent::kRequestStop), infeasible});
  EXPECT_EQ(Trial(study, 1).state, TrialState::kInfeasible);
  const StudyId job = AddRunningJob();
  MustCommit({Move(job, TrialId{1}, TrialEvent::kRequestStop),
              Exit({job, TrialId{1}, 1})});
  MoveTrial of_job = infeasible;
  of_job.study = job;
  Refuses(StatusCode::kFailedPrecondition, {of_job});
}

TEST_P(StoreConformanceTest, ADeletedTrialIsATombstone) {
  const StudyId study = AddRunningStudy();
  Refuses(StatusCode::kFailedPrecondition, {DeleteTrial{study, TrialId{1}}});
  MustCommit(CompleteForClient(study, 1, 0.5));
  MustCommit({DeleteTrial{study, TrialId{1}}});
  EXPECT_TRUE(Trial(study, 1).deleted_at.has_value());
  EXPECT_TRUE(Study(study).ended.empty());
  Refuses(StatusCode::kNotFound, {DeleteTrial{study, TrialId{1}}});
  Refuses(StatusCode::kNotFound,
          {UpdateMetadata{study, {SetText(TrialId{1}, "k", "v")}}});
  // Its number is not given again.
  MustCommit({CreateTrials{study, {MakeClientTrial(0.75)}}});
  EXPECT_EQ(ToInt(Study(study).open.back()), 3);
}

TEST_P(StoreConformanceTest, OnlyAnActiveStudyChanges) {
  const StudyId study = AddRunningStudy();
  MustCommit({MoveStudy{study, StudyState::kCompleted, "done"}});
  EXPECT_EQ(ClientRunOf(Study(study)).state_reason, "done");
  const AttemptKey key = Reporter(study, 1);
  for (const Change& change : std::vector<Change>{
           CreateTrials{study, {MakeClientTrial(0.1)}},
           Assign(study, 2, "c")[0], AddMeasurements{key, {Report(1, 2)}},
           Move(study, TrialId{1}, TrialEvent::kRequestStop),
           DeleteTrial{study, TrialId{1}},
           RecordOperation{study, 1, "c", {TrialId{1}}}}) {
    Refuses(StatusCode::kFailedPrecondition, {change});
  }
  // What is said about results is no result.
  MustCommit({UpdateMetadata{study, {SetText(std::nullopt, "k", "v")}}});
  MustCommit({MoveStudy{study, StudyState::kActive, ""}});
  MustCommit({AddMeasurements{key, {Report(1, 2)}}});
}

TEST_P(StoreConformanceTest, AJobAndAStudyTakeTheirOwnChangesOnly) {
  const StudyId study = AddClientStudy();
  for (const Change& change : std::vector<Change>{
           MoveJob{study, JobEvent::kSucceed, ""},
           SetJobWanted{study, JobWanted::kStop, WantedCause::kUser, ""},
           UpdateLabels{study, {}, std::nullopt}, ExtendJob{study, 2147483647},
           CheckpointJob{study, {}, {}}, CountFailures{study, 0, 0},
           QueuePoints{study, {}}, DeleteJob{study},
           Launch({study, TrialId{1}, 1}), Exit({study, TrialId{1}, 1})}) {
    Refuses(StatusCode::kFailedPrecondition, {change});
  }
  const StudyId job = AddJob();
  for (const Change& change : std::vector<Change>{
           MoveStudy{job, StudyState::kInactive, ""}, DeleteStudy{job},
           RecordOperation{job, 1, "c", {}}, DeleteTrial{job, TrialId{1}},
           AssignTrial{job, TrialId{1}, "c"}}) {
    Refuses(StatusCode::kFailedPrecondition, {change});
  }
}

TEST_P(StoreConformanceTest, AClientsTrialMayBringReports) {
  const StudyId study = AddClientStudy();
  NewTrial trial = MakeClientTrial(0.5);
  trial.brought = {{1, std::chrono::seconds(2), {{"loss", 0.1}}}};
  MustCommit({CreateTrials{study, {trial}}});
  ASSERT_EQ(Trial(study, 1).brought.size(), 1u);
  EXPECT_EQ(Trial(study, 1).brought[0].metrics[0].value, 0.1);
  const StudyId job = AddJob();
  Refuses(StatusCode::kInvalidArgument, {CreateTrials{job, {trial}}});
}

TEST_P(StoreConformanceTest, ATrialMayWaitForItsNumber) {
  const StudyId study = AddRunningStudy();
  Refuses(StatusCode::kAborted,
          {CreateTrials{study, {MakeClientTrial(0.1)}, TrialId{2}}});
  Refuses(StatusCode::kAborted,
          {CreateTrials{study, {MakeClientTrial(0.1)}, TrialId{4}}});
  MustCommit({CreateTrials{study, {MakeClientTrial(0.1)}, TrialId{3}}});
  EXPECT_EQ(Study(study).trials.size(), 3u);
}

TEST_P(StoreConformanceTest, MetadataIsSetAllAtOnceOrNotAtAll) {
  const StudyId study = AddRunningStudy();
  MustCommit({UpdateMetadata{study,
                             {SetText(std::nullopt, "k", "old"),
                              SetText(TrialId{1}, "k", "mine"),
                              {std::nullopt, {"", "b"}, {false, "\xff"}}}}});
  MustCommit({UpdateMetadata{study, {SetText(std::nullopt, "k", "new")}}});
  EXPECT_EQ(Study(study).metadata->at({":ns", "k"}).value, "new");
  EXPECT_FALSE(Study(study).metadata->at({"", "b"}).is_text);
  EXPECT_EQ(Trial(study, 1).metadata.at({":ns", "k"}).value, "mine");
  Refuses(StatusCode::kNotFound,
          {UpdateMetadata{study,
                          {SetText(std::nullopt, "k", "lost"),
                           SetText(TrialId{9}, "k", "lost")}}});
  Refuses(StatusCode::kInvalidArgument,
          {UpdateMetadata{study, {SetText(std::nullopt, "k", "\xff")}}});
}

// What is said of a job and of its trials, before and after their end.
TEST_P(StoreConformanceTest, AJobAndItsTrialsHaveMetadata) {
  const StudyId job = AddRunningJob();
  const AttemptKey attempt{job, TrialId{1}, 1};
  MustCommit({UpdateMetadata{job,
                             {SetText(std::nullopt, "k", "of the job"),
                              SetText(TrialId{1}, "k", "of the trial")}}});
  MustCommit({AddMeasurements{attempt, {Report(1, 2)}}, Exit(attempt),
              Complete(job, TrialId{1}, 2)});
  MustCommit({UpdateMetadata{job, {SetText(TrialId{1}, "late", "yes")}}});
  EXPECT_EQ(Study(job).metadata->at({":ns", "k"}).value, "of the job");
  EXPECT_EQ(Trial(job, 1).metadata.at({":ns", "k"}).value, "of the trial");
  EXPECT_EQ(Trial(job, 1).metadata.at({":ns", "late"}).value, "yes");
  Refuses(StatusCode::kNotFound,
          {UpdateMetadata{job, {SetText(TrialId{2}, "k", "lost")}}});
}

TEST_P(StoreConformanceTest, OperationsAreNumberedAndKept) {
  const StudyId study = AddRunningStudy();
  Refuses(StatusCode::kAborted, {RecordOperation{study, 2, "c", {}}});
  MustCommit({RecordOperation{study, 1, "c", {TrialId{1}}}});
  Refuses(StatusCode::kAborted, {RecordOperation{study, 1, "c", {}}});
  const OperationRecord operation = store().FindOperation(study, 1).value();
  EXPECT_EQ(operation.client_id, "c");
  EXPECT_EQ(operation.trials, std::vector<TrialId>{TrialId{1}});
  EXPECT_EQ(store().FindOperation(study, 2).status().code(),
            StatusCode::kNotFound);
  MustCommit({DeleteStudy{study}});
  EXPECT_EQ(store().FindOperation(study, 1).status().code(),
            StatusCode::kNotFound);
}

TEST_P(StoreConformanceTest, AnOperationNamesTrialsThatItsClientRuns) {
  const StudyId study = AddRunningStudy();
  Refuses(StatusCode::kAborted, {RecordOperation{study, 1, "d", {TrialId{1}}}});
  Refuses(StatusCode::kAborted, {RecordOperation{study, 1, "c", {TrialId{2}}}});
  Refuses(StatusCode::kNotFound,
          {RecordOperation{study, 1, "c", {TrialId{9}}}});
}

TEST_P(StoreConformanceTest, MeasurementsOfManyTrialsAreReadAtOnce) {
  const StudyId study = AddRunningStudy();
  MustCommit(Assign(study, 2, "d"));
  const AttemptKey first = Reporter(study, 1);
  const AttemptKey second = Reporter(study, 2);
  MustCommit({AddMeasurements{second, {Report(1, 0.5)}},
              AddMeasurements{first, {Report(2, 2), Report(1, 1)}}});
  const auto all =
      store().ListStudyMeasurements(study, TrialId{1}, TrialId{2}, 9).value();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(ToInt(all[0].trial), 1);
  EXPECT_EQ(all[0].measurement.step, 1);
  EXPECT_EQ(all[2].measurement.value, 0.5);
  EXPECT_EQ(
      store().ListStudyMeasurements(study, TrialId{2}, TrialId{2}, 9)->size(),
      1u);
  EXPECT_EQ(
      store().ListStudyMeasurements(study, TrialId{1}, TrialId{2}, 2)->size(),
      2u);
  EXPECT_EQ(store()
                .ListStudyMeasurements(StudyId{9}, TrialId{1}, TrialId{2}, 2)
                .status()
                .code(),
            StatusCode::kNotFound);
}

TEST_P(StoreConformanceTest, TimeDoesNotElapseBackwards) {
  const StudyId study = AddRunningStudy();
  Refuses(StatusCode::kInvalidArgument,
          {AddMeasurements{
              Reporter(study, 1),
              {{"loss", 1, At(1), 0.5, std::chrono::microseconds(-1)}}}});
}

}  // namespace
}  // namespace vernier
