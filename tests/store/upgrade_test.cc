// Databases that earlier releases left, frozen in fixtures/, open and go on.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
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

  static std::int64_t QueryInt(const std::string& path, const char* sql) {
    return SqliteDatabase::Open(path, {}).value()->QueryInt(sql).value();
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_.database();
};

// Nothing that runs is lost: a launcher finds its processes by their nonces,
// and clients report on.
TEST_F(UpgradeTest, LosesNothingThatRuns) {
  MakeFixture("schema_0014", path_);
  const StudyId clients{2};
  {
    const auto store = Open();
    ASSERT_NE(store, nullptr);
    const StudySnapshot job = *store->Snapshot()->at(StudyId{1});
    EXPECT_EQ(JobRunOf(job).code_version, 2);
    EXPECT_EQ(JobRunOf(job).earlier_versions.size(), 1u);
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
  EXPECT_FALSE(IsJob(study));
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

// The check of a source's number is part of the older tables' text.
TEST_F(UpgradeTest, TakesMetricsFromNewerSources) {
  MakeFixture("schema_0014", path_);
  const AttemptKey key{StudyId{1}, TrialId{2}, 1};
  {
    const auto store = Open();
    ASSERT_NE(store, nullptr);
    // Of the tuned metric a clearer source has spoken.
    Measurement report = Report(9, 0.25, "other");
    for (const MetricRoad road :
         {MetricRoad::kCsvFile, MetricRoad::kWandb, MetricRoad::kTrackio}) {
      report.road = road;
      report.reported_at += std::chrono::seconds(1);
      const absl::Status status =
          store->Commit({AddMeasurements{key, {report}}}, At(1));
      ASSERT_TRUE(status.ok()) << status;
    }
  }
  EXPECT_TRUE(CheckStore(path_).ok()) << CheckStore(path_);
  EXPECT_EQ(QueryInt(path_,
                     "SELECT count(*) FROM sqlite_schema WHERE sql LIKE "
                     "'%road BETWEEN _ AND 20%'"),
            2);
  const auto store = Open();
  std::vector<MetricRoad> roads;
  const std::vector<Measurement> reports =
      store->ListMeasurements(key.study, key.trial, "other", 99).value();
  for (const Measurement& one : reports) {
    if (one.step == 9) roads.push_back(one.road);
  }
  EXPECT_THAT(roads,
              testing::ElementsAre(MetricRoad::kCsvFile, MetricRoad::kWandb,
                                   MetricRoad::kTrackio));
}

TEST_F(UpgradeTest, KeepsLeases) {
  MakeFixture("schema_0014_leases", path_);
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

// Whoever goes back to the older release finds what it had.
TEST_F(UpgradeTest, KeepsACopyOfTheOlderDatabase) {
  MakeFixture("schema_0014", path_);
  const std::string copy = path_ + ".schema-14";
  // What an interrupted upgrade left.
  std::ofstream(copy + ".unfinished") << "half";
  ASSERT_NE(Open(), nullptr);
  EXPECT_FALSE(std::filesystem::exists(copy + ".unfinished"));
  EXPECT_EQ(
      std::filesystem::status(copy).permissions(),
      std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  EXPECT_EQ(QueryInt(copy, "PRAGMA user_version"), 14);
  EXPECT_EQ(QueryInt(copy, "SELECT count(*) FROM trial"),
            QueryInt(path_, "SELECT count(*) FROM trial"));
  EXPECT_EQ(QueryInt(path_, "PRAGMA user_version"), StudiesSchema().newest());
  // The copy is a database as good as the one that it was made of.
  for (const char* file : {"", "-wal", "-mark"}) {
    std::filesystem::remove(path_ + file);
  }
  std::filesystem::rename(copy, path_);
  const auto store = Open();
  ASSERT_NE(store, nullptr);
  EXPECT_EQ(store->Snapshot()->at(StudyId{1})->live_attempts, 2);
}

TEST_F(UpgradeTest, KeepsNoCopyWithoutAStep) {
  ASSERT_NE(Open(), nullptr);
  ASSERT_NE(Open(), nullptr);
  for (const auto& file : std::filesystem::directory_iterator(
           std::filesystem::path(path_).parent_path())) {
    EXPECT_EQ(file.path().string().find(".schema-"), std::string::npos);
  }
}

TEST_F(UpgradeTest, WithoutACopyNothingIsChanged) {
  MakeFixture("schema_0014", path_);
  const std::string before = ReadAll(path_);
  // No file can have the name of a folder that is not empty.
  std::filesystem::create_directories(path_ + ".schema-14/x");
  const absl::Status refused = SqliteStore::Open(path_).status();
  EXPECT_THAT(std::string(refused.message()),
              testing::HasSubstr("cannot keep a copy of the database before "
                                 "its upgrade from schema 14: "));
  EXPECT_EQ(QueryInt(path_, "PRAGMA user_version"), 14);
  EXPECT_FALSE(std::filesystem::exists(path_ + ".schema-14.unfinished"));
  std::filesystem::remove_all(path_ + ".schema-14");
  ASSERT_NE(Open(), nullptr);
}

// Until schema 15 the sentence for people was all that said why.
TEST_F(UpgradeTest, WhatIsWantedOfAJobGetsItsCause) {
  const std::pair<const char*, WantedCause> kReasons[] = {
      {"", WantedCause::kNone},
      {"resumed by a user", WantedCause::kUser},
      {"paused by the user", WantedCause::kUser},
      {"paused after 5 trials in a row failed with the same error",
       WantedCause::kFailures},
      {"it has waited for longer than scheduling.maxWaitTime (1h)",
       WantedCause::kSchedule},
      {"its trials have trained 104 of 100 steps (vernier.limits.maxSteps)",
       WantedCause::kEnough},
  };
  for (const auto& [reason, cause] : kReasons) {
    SCOPED_TRACE(reason);
    std::filesystem::remove(path_);
    MakeFixture("schema_0014", path_);
    RunSql(path_, absl::StrCat("UPDATE job SET wanted_reason = '", reason,
                               "' WHERE study = 1"));
    const auto store = Open();
    ASSERT_NE(store, nullptr);
    EXPECT_EQ(JobRunOf(*store->Snapshot()->at(StudyId{1})).wanted_cause, cause);
  }
}

TEST_F(UpgradeTest, RefusesSchemasOfTheDevelopmentAndChangesNothing) {
  MakeFixture("schema_0014", path_);
  RunSql(path_, "PRAGMA user_version = 13");
  const std::string before = ReadAll(path_);
  const absl::Status refused = SqliteStore::Open(path_).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
  EXPECT_EQ(refused.message(),
            path_ +
                " has schema version 13, which was used while the first "
                "release was developed; releases know versions from 14 on. "
                "Use another data directory. Nothing was changed.");
  EXPECT_TRUE(absl::IsFailedPrecondition(CheckStore(path_)));
  EXPECT_EQ(ReadAll(path_), before);
}

// Of the development, too, but without checksums.
TEST_F(UpgradeTest, RefusesADatabaseWithoutChecksums) {
  const std::string sql =
      "PRAGMA application_id = 0x56524e52; CREATE TABLE study (id INTEGER);"
      "PRAGMA user_version = ";
  const auto open_as = [&](const std::string& version) {
    sqlite3* handle = nullptr;
    EXPECT_EQ(sqlite3_open(path_.c_str(), &handle), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(handle, (sql + version).c_str(), nullptr, nullptr,
                           nullptr),
              SQLITE_OK);
    sqlite3_close(handle);
    const absl::Status status = SqliteStore::Open(path_).status();
    std::filesystem::remove(path_);
    return status;
  };
  EXPECT_TRUE(absl::IsFailedPrecondition(open_as("5"))) << open_as("5");
  EXPECT_TRUE(absl::IsFailedPrecondition(open_as("99"))) << open_as("99");
  // It had some when it was made, so that its header is damaged.
  EXPECT_TRUE(absl::IsDataLoss(open_as("14"))) << open_as("14");
  EXPECT_TRUE(absl::IsDataLoss(open_as("0"))) << open_as("0");
}

// The number in the header was raised by a release that writes checksums.
TEST_F(UpgradeTest, NeverTakesADamagedHeaderForAnotherDatabase) {
  { ASSERT_NE(Open(), nullptr); }
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  constexpr int kReservedBytes = 20;
  file.seekp(kReservedBytes);
  file.put('\0');
  file.close();
  EXPECT_TRUE(absl::IsDataLoss(SqliteStore::Open(path_).status()));
}

}  // namespace
}  // namespace vernier
