// Databases of earlier schemas, frozen in fixtures/, open and go on.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "store/sqlite/schema.h"
#include "store/sqlite/sqlite_store.h"
#include "tests/store/checked_store.h"
#include "tests/store/client_fixture.h"
#include "tests/store/fixture_database.h"
#include "tests/store/job_fixture.h"
#include "tests/store/snapshot_text.h"
#include "tests/store/temporary_folder.h"

namespace vernier {
namespace {

class UpgradeTest : public testing::Test {
 protected:
  std::unique_ptr<SqliteStore> Open() {
    auto store = SqliteStore::Open(path_);
    EXPECT_TRUE(store.ok()) << store.status();
    return store.ok() ? *std::move(store) : nullptr;
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_.database();
};

// An upgrade loses nothing, breaks no invariant, and can be worked on.
TEST_F(UpgradeTest, BringsTheFirstSchemaUpToDate) {
  MakeFixture("schema_0001", path_);
  {
    const auto store = Open();
    ASSERT_NE(store, nullptr);
    const auto snapshot = store->Snapshot();
    ASSERT_EQ(snapshot->size(), 1u);
    const StudySnapshot& study = *snapshot->at(StudyId{1});
    EXPECT_EQ(study.name, "upgraded");
    EXPECT_EQ(study.run->state, JobState::kSucceeded);
    EXPECT_EQ(study.seed, 11u);
    EXPECT_EQ(study.labels.at("team"), "vision");
    ASSERT_EQ(study.trials.size(), 4u);
    const TrialRecord& best = study.trials.Get(TrialId{2});
    EXPECT_EQ(best.state, TrialState::kCompleted);
    EXPECT_EQ(best.final_measurement->value, 0.0005723625975107393);
    EXPECT_EQ(best.final_measurement->step, 2);
    EXPECT_EQ(study.trials.Get(TrialId{3}).state, TrialState::kFailed);
    EXPECT_EQ(static_cast<int>(study.last_event), 31);
    ASSERT_TRUE(store->CreateJob(MakeJob({}), At(1)).ok());
    // It had no queue.
    ASSERT_TRUE(
        store->Commit({QueuePoints{StudyId{2}, {{{"rate", 0.1}}}}}, At(3))
            .ok());
  }
  EXPECT_TRUE(CheckStore(path_).ok()) << CheckStore(path_);
  const auto database = SqliteDatabase::Open(path_, {}).value();
  EXPECT_EQ(database->QueryInt("PRAGMA user_version").value(), NewestSchema());
}

TEST_F(UpgradeTest, BringsTheThirdSchemaUpToDate) {
  MakeFixture("schema_0003", path_);
  {
    const auto store = Open();
    ASSERT_NE(store, nullptr);
    const StudySnapshot study = *store->Snapshot()->at(StudyId{1});
    EXPECT_EQ(study.name, "old");
    EXPECT_TRUE(study.run.has_value());
    ASSERT_EQ(study.trials.size(), 4u);
    const TrialRecord& first = study.trials.Get(TrialId{1});
    EXPECT_EQ(first.origin.record->method, SuggestionMethod::kUser);
    EXPECT_EQ(first.final_measurement->value, 0.5);
    EXPECT_EQ(first.client_id, "");
    EXPECT_FALSE(first.deleted_at.has_value());
    const auto reports =
        store->ListMeasurements(StudyId{1}, TrialId{1}, "", 10).value();
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_EQ(reports[0].elapsed.count(), 0);
    ASSERT_TRUE(store->CreateStudy(MakeClientStudy(), At(1)).ok());
  }
  EXPECT_TRUE(CheckStore(path_).ok()) << CheckStore(path_);
}

TEST_F(UpgradeTest, BringsTheFourthSchemaUpToDate) {
  MakeFixture("schema_0004", path_);
  const NewTrial trial = MakeClientTrial(0.5);
  CreateTrials create{StudyId{1}, {{{{"x", 0.5}}, trial.origin, {}}}};
  create.request_id = "r";
  {
    const auto store = Open();
    ASSERT_NE(store, nullptr);
    const StudySnapshot study = *store->Snapshot()->at(StudyId{1});
    EXPECT_EQ(study.name, "projects/p1/locations/l/studies/s");
    ASSERT_EQ(study.trials.size(), 2u);
    EXPECT_EQ(study.trials.Get(TrialId{1}).final_measurement->value, 0.5);
    ASSERT_TRUE(store->Commit({create}, At(1)).ok());
  }
  EXPECT_TRUE(CheckStore(path_).ok()) << CheckStore(path_);
  // What a request made is remembered across restarts.
  const auto store = Open();
  EXPECT_EQ(store->FindRequest("r")->trial, TrialId{3});
  EXPECT_EQ(store->Commit({create}, At(2)).code(),
            absl::StatusCode::kAlreadyExists);
}

TEST_F(UpgradeTest, BringsAJobOfTheFifthSchemaUpToDate) {
  MakeFixture("schema_0005_job", path_);
  {
    const auto store = Open();
    ASSERT_NE(store, nullptr);
    const StudySnapshot study = *store->Snapshot()->at(StudyId{1});
    EXPECT_EQ(study.name, "fifth");
    EXPECT_EQ(study.run->code_version, 1);
    EXPECT_EQ(study.run->code_digest, "") << "nobody looked";
    EXPECT_EQ(study.run->version_at, study.created_at);
    EXPECT_EQ(study.run->made_up_trials, 0);
    EXPECT_EQ(study.trials.Get(TrialId{1}).attempts[0].code_version, 1);
    ReviseJob revise = Revise(StudyId{1}, 1, {});
    JobSpec spec = *study.run->spec;
    spec.vernier.command = {"./other.sh"};
    revise.spec = std::make_shared<const JobSpec>(spec);
    revise.spec_json = study.run->spec_json;
    revise.max_trials = 2;
    ASSERT_TRUE(store->Commit({revise}, At(3)).ok());
  }
  EXPECT_TRUE(CheckStore(path_).ok()) << CheckStore(path_);
  const auto store = Open();
  const StudySnapshot study = *store->Snapshot()->at(StudyId{1});
  ASSERT_EQ(study.run->earlier_versions.size(), 1u);
  EXPECT_EQ(study.run->earlier_versions[0]->created_at, study.created_at);
  EXPECT_EQ(study.ended_earlier.at(TrialEndCause::kUserError), 1);
}

TEST_F(UpgradeTest, BringsAPausedJobOfTheFifthSchemaUpToDate) {
  MakeFixture("schema_0005_paused", path_);
  {
    const auto store = Open();
    ASSERT_NE(store, nullptr);
    const StudyRecord paused = *store->Snapshot()->at(StudyId{1});
    EXPECT_EQ(paused.run->wanted, JobWanted::kPause);
    EXPECT_EQ(paused.run->consecutive_instant_failures, 3);
    EXPECT_EQ(paused.run->consecutive_failures, 0)
        << "nobody counted them then";
    EXPECT_TRUE(paused.run->ended_before_resume.empty());
    ASSERT_TRUE(
        store->Commit({SetJobWanted{StudyId{1}, JobWanted::kRun, ""}}, At(1))
            .ok());
  }
  EXPECT_TRUE(CheckStore(path_).ok()) << CheckStore(path_);
  const StudyRecord resumed = *Open()->Snapshot()->at(StudyId{1});
  EXPECT_EQ(resumed.run->consecutive_instant_failures, 0);
  EXPECT_EQ(resumed.run->ended_before_resume,
            (std::map<TrialEndCause, int>{{TrialEndCause::kUserError, 3}}));
}

// Nothing that runs is lost: a launcher finds its processes by their nonces,
// and clients report on.
TEST_F(UpgradeTest, BringsRunningTrialsOfTheEighthSchemaUpToDate) {
  MakeFixture("schema_0008", path_);
  const StudyId clients{2};
  {
    const auto store = Open();
    ASSERT_NE(store, nullptr);
    const StudySnapshot job = *store->Snapshot()->at(StudyId{1});
    EXPECT_EQ(job.run->code_version, 2);
    EXPECT_EQ(job.run->earlier_versions.size(), 1u);
    EXPECT_EQ(job.live_attempts, 2);
    const AttemptRecord& live = job.trials.Get(TrialId{2}).attempts.at(0);
    EXPECT_EQ(live.state, AttemptState::kRunning);
    EXPECT_EQ(live.nonce, "0f5fd5015d29d63e18ce4754a8001e36");
    const AttemptKey key{StudyId{1}, TrialId{2}, 1};
    ASSERT_TRUE(
        store
            ->Commit({AddMeasurements{key, {Report(2, 0.25)}}, Exit(key),
                      Complete(StudyId{1}, TrialId{2}, 0.25)},
                     At(1))
            .ok());
    ASSERT_TRUE(store
                    ->Commit({AddMeasurements{{clients, TrialId{2}, 0},
                                              {Report(3, 0.125)}}},
                             At(1))
                    .ok());
    ASSERT_TRUE(store->Commit(CompleteForClient(clients, 3, 0.5), At(2)).ok());
    ASSERT_TRUE(store->Commit(Assign(clients, 4, "b"), At(2)).ok());
  }
  EXPECT_TRUE(CheckStore(path_).ok()) << CheckStore(path_);
  const auto store = Open();
  const StudySnapshot study = *store->Snapshot()->at(clients);
  EXPECT_FALSE(study.run.has_value());
  EXPECT_EQ(study.live_attempts, 0);
  for (int i = 1; i <= 5; ++i) {
    EXPECT_TRUE(study.trials.Get(TrialId{i}).attempts.empty()) << i;
  }
  EXPECT_EQ(study.trials.Get(TrialId{2}).client_id, "a");
  EXPECT_EQ(study.trials.Get(TrialId{2}).objective.finite_count, 3);
  EXPECT_EQ(study.trials.Get(TrialId{4}).client_id, "b");
  EXPECT_TRUE(IsDeleted(study.trials.Get(TrialId{5})));
  const std::vector<Measurement> reports =
      store->ListMeasurements(clients, TrialId{2}, "loss", 9).value();
  ASSERT_EQ(reports.size(), 3u);
  for (const Measurement& report : reports) EXPECT_EQ(report.attempt, 0);
}

// The table of attempts is made anew, and leases refer to it.
TEST_F(UpgradeTest, KeepsTheLeasesOfTheTenthSchema) {
  MakeFixture("schema_0010", path_);
  const AttemptKey key{StudyId{1}, TrialId{3}, 1};
  {
    const auto store = Open();
    ASSERT_NE(store, nullptr);
    const StudySnapshot job = *store->Snapshot()->at(StudyId{1});
    EXPECT_EQ(job.live_attempts, 2);
    const TrialRecord& first = job.trials.Get(TrialId{1});
    ASSERT_EQ(first.attempts.size(), 2u);
    EXPECT_EQ(first.attempts[0].end_cause, TrialEndCause::kInfrastructure);
    EXPECT_EQ(first.attempts[1].devices, std::vector<DeviceId>{"GPU-fake-0"});
    EXPECT_EQ(job.trials.Get(TrialId{3}).attempts.at(0).devices,
              std::vector<DeviceId>{"GPU-fake-0"});
    EndAttempt preempted;
    preempted.attempt = key;
    preempted.event = AttemptEvent::kKill;
    preempted.cause = TrialEndCause::kPreempted;
    ASSERT_TRUE(
        store
            ->Commit({WantKill{key, TrialEndCause::kPreempted}, preempted},
                     At(1))
            .ok());
  }
  EXPECT_TRUE(CheckStore(path_).ok()) << CheckStore(path_);
  const auto store = Open();
  const AttemptRecord ended =
      store->Snapshot()->at(StudyId{1})->trials.Get(TrialId{3}).attempts.at(0);
  EXPECT_EQ(ended.kill_cause, TrialEndCause::kPreempted);
  EXPECT_EQ(ended.end_cause, TrialEndCause::kPreempted);
  // The GPU is free again.
  EXPECT_TRUE(store
                  ->Commit({IntendLaunch{{StudyId{1}, TrialId{3}, 2},
                                         "6e6f6e6365",
                                         {"GPU-fake-0"}}},
                           At(2))
                  .ok());
}

// That release called a client's trial that was stopped completed.
TEST_F(UpgradeTest, CallsAStoppedTrialOfTheTwelfthSchemaStopped) {
  MakeFixture("schema_0012", path_);
  {
    const auto store = Open();
    ASSERT_NE(store, nullptr);
    const StudySnapshot study = *store->Snapshot()->at(StudyId{1});
    ASSERT_EQ(study.trials.size(), 2u);
    EXPECT_EQ(study.trials.Get(TrialId{1}).state, TrialState::kCompleted);
    const TrialRecord stopped = study.trials.Get(TrialId{2});
    EXPECT_EQ(stopped.state, TrialState::kStopped);
    EXPECT_EQ(stopped.end_cause, TrialEndCause::kStoppedEarly);
    EXPECT_EQ(stopped.final_measurement, (FinalMeasurement{2, 0.75}));
    EXPECT_EQ(stopped.client_id, "d");
    const NewTrial trial = MakeClientTrial(0.5);
    ASSERT_TRUE(store
                    ->Commit({CreateTrials{StudyId{1},
                                           {{{{"x", 0.5}}, trial.origin, {}}}}},
                             At(1))
                    .ok());
    ASSERT_TRUE(store->Commit(Assign(StudyId{1}, 3, "e"), At(2)).ok());
    ASSERT_TRUE(
        store
            ->Commit({AddMeasurements{{StudyId{1}, TrialId{3}, 0},
                                      {Report(4, std::nan(""), "acc")}}},
                     At(3))
            .ok());
  }
  EXPECT_TRUE(CheckStore(path_).ok()) << CheckStore(path_);
  const auto store = Open();
  const TrialRecord third =
      store->Snapshot()->at(StudyId{1})->trials.Get(TrialId{3});
  ASSERT_TRUE(third.objective.not_finite_last.has_value());
  EXPECT_EQ(third.objective.not_finite_last->step, 4);
}

// Until then only the trials of clients' studies had any.
TEST_F(UpgradeTest, GivesMetadataToAJobOfTheThirteenthSchema) {
  MakeFixture("schema_0013", path_);
  const StudyId job{1};
  {
    const auto store = Open();
    ASSERT_NE(store, nullptr);
    ASSERT_TRUE(store->Snapshot()->at(job)->run.has_value());
    ASSERT_TRUE(
        store
            ->Commit({UpdateMetadata{
                         job,
                         {{std::nullopt, {":ns", "k"}, {true, "of the job"}},
                          {TrialId{1}, {":ns", "k"}, {true, "ended"}},
                          {TrialId{2}, {":ns", "k"}, {true, "runs"}}}}},
                     At(1))
            .ok());
  }
  EXPECT_TRUE(CheckStore(path_).ok()) << CheckStore(path_);
  const StudySnapshot study = *Open()->Snapshot()->at(job);
  EXPECT_EQ(study.metadata->at({":ns", "k"}).value, "of the job");
  EXPECT_EQ(study.trials.Get(TrialId{1}).metadata.at({":ns", "k"}).value,
            "ended");
  EXPECT_EQ(study.trials.Get(TrialId{2}).metadata.at({":ns", "k"}).value,
            "runs");
}

// What the eleventh schema holds counts, and may be taken back from now on.
TEST_F(UpgradeTest, LetsTrialsOfTheEleventhSchemaGoBack) {
  MakeFixture("schema_0011", path_);
  const StudyId study{1};
  {
    const auto store = Open();
    ASSERT_NE(store, nullptr);
    const std::string metric =
        ObjectiveOf(*store->Snapshot()->at(study)->spec).name;
    EXPECT_EQ(
        store->ListMeasurements(study, TrialId{1}, metric, 9).value().size(),
        2u);
    AddMeasurements change{{study, TrialId{2}, 1}, {}};
    change.restarts = {
        {metric, MetricRoad::kStdout, /*from_step=*/2, Timestamp::max()}};
    ASSERT_TRUE(store->Commit({change}, At(1)).ok());
    EXPECT_EQ(
        store->ListMeasurements(study, TrialId{2}, metric, 9).value().size(),
        1u);
  }
  EXPECT_TRUE(CheckStore(path_).ok()) << CheckStore(path_);
  const TrialRecord trial =
      Open()->Snapshot()->at(study)->trials.Get(TrialId{2});
  EXPECT_EQ(trial.objective.finite_count, 1);
  EXPECT_EQ(trial.objective.last->step, 1);
}

// Releases brought databases up to their own schema and no further, so that
// there are some of every schema.
TEST_F(UpgradeTest, AnUpgradeMayStopAtEverySchemaOnTheWay) {
  for (const char* name :
       {"schema_0001", "schema_0003", "schema_0004", "schema_0005",
        "schema_0005_job", "schema_0005_paused", "schema_0008", "schema_0010",
        "schema_0011", "schema_0012", "schema_0013"}) {
    std::optional<std::string> at_once;
    for (std::size_t stop = 0; stop < Migrations().size(); ++stop) {
      const TemporaryFolder folder;
      MakeFixture(name, folder.database(), stop > 0);
      if (stop > 0) {
        const auto database =
            SqliteDatabase::Open(folder.database(), {}).value();
        ASSERT_TRUE(ConfigureConnection(*database).ok());
        const std::vector<const char*> steps(
            Migrations().begin(),
            Migrations().begin() + static_cast<std::ptrdiff_t>(stop));
        const auto version = database->QueryInt("PRAGMA user_version").value();
        if (version >= static_cast<std::int64_t>(stop)) continue;
        ASSERT_TRUE(Migrate(*database, steps).ok()) << name << " " << stop;
      }
      const std::string text = SnapshotText::Of(
          *SqliteStore::Open(folder.database()).value()->Snapshot());
      if (!at_once.has_value()) at_once = text;
      EXPECT_EQ(text, *at_once) << name << " by way of schema " << stop;
      EXPECT_TRUE(CheckStore(folder.database()).ok()) << name << " " << stop;
    }
  }
}

}  // namespace
}  // namespace vernier
