// What SqliteStore does beside the conformance suite: opening, refusing to
// open, faults of the disk.

#include "store/sqlite/sqlite_store.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "store/check/store_check.h"
#include "store/exit_code.h"
#include "store/pages/checksum_vfs.h"
#include "store/pages/store_location.h"
#include "store/sqlite/schema.h"
#include "tests/store/client_fixture.h"
#include "tests/store/faulty_vfs.h"
#include "tests/store/job_fixture.h"
#include "tests/store/snapshot_text.h"
#include "tests/store/temporary_folder.h"

namespace vernier {
namespace {

using absl::StatusCode;
using testing::HasSubstr;

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Runs SQL through a connection of its own, as another program would, but that
// pages keep their checksums if they have them.
void RunSql(const std::string& path, const std::string& sql) {
  const ChecksumVfs vfs("");
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open_v2(path.c_str(), &handle,
                            SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                            vfs.name().c_str()),
            SQLITE_OK);
  char* message = nullptr;
  EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, &message),
            SQLITE_OK)
      << message;
  sqlite3_free(message);
  sqlite3_close(handle);
}

// A store with one job that has a running trial.
class SqliteStoreTest : public testing::Test {
 protected:
  std::unique_ptr<SqliteStore> Open(const SqliteStoreOptions& options = {}) {
    auto store = SqliteStore::Open(path_, options);
    EXPECT_TRUE(store.ok()) << store.status();
    return store.ok() ? *std::move(store) : nullptr;
  }

  // The exit code that opening fails with; the message must say `text`.
  int ExitCodeOfOpen(const std::string& text) {
    const auto store = SqliteStore::Open(path_);
    EXPECT_FALSE(store.ok());
    EXPECT_THAT(std::string(store.status().message()), HasSubstr(text));
    return ExitCodeFor(store.status());
  }

  void Fill(Store& store) {
    ASSERT_TRUE(store.CreateJob(MakeJob({}), At(1)).ok());
    ASSERT_TRUE(
        store
            .Commit({CreateTrials{StudyId{1}, {MakeTrial(0.5)}}, Launch(key_)},
                    At(2))
            .ok());
  }

  absl::Status AddReport(Store& store, std::int64_t step) {
    return store.Commit({AddMeasurements{key_, {Report(step, 1)}}}, At(3));
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_.database();
  const AttemptKey key_{StudyId{1}, TrialId{1}, 1};
};

TEST_F(SqliteStoreTest, KeepsAFileThatOnlyItsOwnerReads) {
  Open();
  struct stat entry {};
  ASSERT_EQ(stat(path_.c_str(), &entry), 0);
  EXPECT_EQ(entry.st_mode & 0777, 0600u);
}

TEST_F(SqliteStoreTest, RemembersRequestsAfterReopening) {
  const NewJob job = MakeJob({.job_id = "a", .request_id = "r"});
  const StudyId study = Open()->CreateJob(job, At(1)).value();
  EXPECT_EQ(Open()->CreateJob(job, At(2)).value(), study);
}

// An upgrade loses nothing, breaks no invariant, and can be worked on.
TEST_F(SqliteStoreTest, BringsTheFirstSchemaUpToDate) {
  RunSql(path_,
         ReadAll(VERNIER_TESTDATA_DIR "/store/fixtures/schema_0001.sql"));
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

TEST_F(SqliteStoreTest, BringsTheThirdSchemaUpToDate) {
  RunSql(path_,
         ReadAll(VERNIER_TESTDATA_DIR "/store/fixtures/schema_0003.sql"));
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

TEST_F(SqliteStoreTest, BringsTheFourthSchemaUpToDate) {
  RunSql(path_,
         ReadAll(VERNIER_TESTDATA_DIR "/store/fixtures/schema_0004.sql"));
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

TEST_F(SqliteStoreTest, BringsAJobOfTheFifthSchemaUpToDate) {
  RunSql(path_,
         ReadAll(VERNIER_TESTDATA_DIR "/store/fixtures/schema_0005_job.sql"));
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

TEST_F(SqliteStoreTest, BringsAPausedJobOfTheFifthSchemaUpToDate) {
  RunSql(path_, ReadAll(VERNIER_TESTDATA_DIR
                        "/store/fixtures/schema_0005_paused.sql"));
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
TEST_F(SqliteStoreTest, BringsRunningTrialsOfTheEighthSchemaUpToDate) {
  RunSql(path_,
         ReadAll(VERNIER_TESTDATA_DIR "/store/fixtures/schema_0008.sql"));
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

// Releases brought databases up to their own schema and no further, so that
// there are some of every schema.
TEST_F(SqliteStoreTest, AnUpgradeMayStopAtEverySchemaOnTheWay) {
  for (const char* name :
       {"schema_0001", "schema_0003", "schema_0004", "schema_0005",
        "schema_0005_job", "schema_0005_paused", "schema_0008"}) {
    const std::string sql = ReadAll(std::string(VERNIER_TESTDATA_DIR) +
                                    "/store/fixtures/" + name + ".sql");
    std::optional<std::string> at_once;
    for (std::size_t stop = 0; stop < Migrations().size(); ++stop) {
      const TemporaryFolder folder;
      RunSql(folder.database(), sql);
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

TEST_F(SqliteStoreTest, KeepsClientStudiesAfterReopening) {
  std::string before;
  {
    const auto store = Open();
    const StudyId study =
        store
            ->CreateStudy(
                MakeClientStudy({.metrics = 2,
                                 .metadata = {{{":a", "k"}, {false, "\xff"}}}}),
                At(1))
            .value();
    NewTrial brings_reports = MakeClientTrial(0.5);
    brings_reports.brought = {{1, std::chrono::seconds(2), {{"loss", 0.1}}},
                              {2, std::chrono::seconds(3), {{"m2", 0.2}}}};
    const std::vector<std::vector<Change>> history = {
        {CreateTrials{study, {MakeClientTrial(0.25), brings_reports}}},
        Assign(study, 1, "c"),
        {RecordOperation{study, 1, "c", {TrialId{1}}}},
        {AddMeasurements{Reporter(study, 1),
                         {{"loss", 1, At(2), 0.5, std::chrono::seconds(7)}}}},
        CompleteForClient(study, 1, std::nan("")),
        {UpdateMetadata{study, {SetText(TrialId{1}, "k", "v")}}},
        {Move(study, TrialId{2}, TrialEvent::kRequestStop,
              TrialEndCause::kCancelled),
         DeleteTrial{study, TrialId{2}}},
        {MoveStudy{study, StudyState::kInactive, "enough"}}};
    for (std::vector<Change> changes : history) {
      for (Change& change : changes) {
        auto* move = std::get_if<MoveTrial>(&change);
        if (move == nullptr || move->cause != TrialEndCause::kSuccess) continue;
        // NaN is no final measurement, but stays in the report.
        move->final_measurement.reset();
        move->cause = TrialEndCause::kNotFinite;
      }
      const absl::Status status = store->Commit(changes, At(2));
      ASSERT_TRUE(status.ok()) << status;
    }
    before = SnapshotText::Of(*store->Snapshot());
  }
  const auto store = Open();
  EXPECT_EQ(SnapshotText::Of(*store->Snapshot()), before);
  EXPECT_EQ(store->FindOperation(StudyId{1}, 1)->trials,
            std::vector<TrialId>{TrialId{1}});
  EXPECT_EQ(
      store->ListMeasurements(StudyId{1}, TrialId{1}, "", 9).value()[0].elapsed,
      std::chrono::seconds(7));
}

TEST_F(SqliteStoreTest, KeepsQueuedPointsAfterReopening) {
  std::string before;
  {
    const auto store = Open();
    ASSERT_TRUE(
        store->CreateJob(MakeJob({.initial_rates = {0.25, 0.5}}), At(1)).ok());
    ASSERT_TRUE(store
                    ->Commit({CreateTrials{StudyId{1}, {MakeTrialByHand(0.25)}},
                              QueuePoints{StudyId{1}, {{{"rate", 0.1}}}, "r"}},
                             At(2))
                    .ok());
    before = SnapshotText::Of(*store->Snapshot());
  }
  const auto store = Open();
  EXPECT_EQ(SnapshotText::Of(*store->Snapshot()), before);
  EXPECT_EQ(store->Snapshot()->at(StudyId{1})->queued.size(), 2u);
  ASSERT_TRUE(
      store->Commit({QueuePoints{StudyId{1}, {{{"rate", 0.1}}}, "r"}}, At(3))
          .ok());
  EXPECT_EQ(SnapshotText::Of(*store->Snapshot()), before) << "queued twice";
}

TEST_F(SqliteStoreTest, NeverReusesAStudyIdAfterReopening) {
  {
    const auto store = Open();
    Fill(*store);
    ASSERT_TRUE(store
                    ->Commit({Exit(key_), Complete(StudyId{1}, TrialId{1}, 1),
                              MoveJob{StudyId{1}, JobEvent::kSucceed, ""},
                              DeleteJob{StudyId{1}}},
                             At(3))
                    .ok());
  }
  EXPECT_EQ(Open()->CreateJob(MakeJob({}), At(1)).value(), StudyId{2});
}

TEST_F(SqliteStoreTest, KeepsLeasesAfterReopening) {
  const IntendLaunch launch = Launch(key_, {"gpu-0"});
  {
    const auto store = Open();
    ASSERT_TRUE(store->CreateJob(MakeJob({}), At(1)).ok());
    ASSERT_TRUE(
        store
            ->Commit({CreateTrials{StudyId{1}, {MakeTrial(0), MakeTrial(1)}},
                      launch},
                     At(2))
            .ok());
  }
  const auto store = Open();
  EXPECT_EQ(
      store->Commit({Launch({StudyId{1}, TrialId{2}, 1}, {"gpu-0"})}, At(3))
          .code(),
      StatusCode::kResourceExhausted);
}

TEST_F(SqliteStoreTest, KeepsTheIntentOfAStopAndItsReasonAfterReopening) {
  std::string before;
  {
    const auto store = Open();
    Fill(*store);
    MoveTrial stop = Move(StudyId{1}, TrialId{1}, TrialEvent::kRequestStop,
                          TrialEndCause::kStoppedEarly, "worse than most");
    ASSERT_TRUE(
        store
            ->Commit({stop, WantKill{key_, TrialEndCause::kStoppedEarly}},
                     At(3))
            .ok());
    before = SnapshotText::Of(*store->Snapshot());
  }
  EXPECT_THAT(before, HasSubstr("worse than most"));
  EXPECT_EQ(SnapshotText::Of(*Open()->Snapshot()), before);
  EXPECT_TRUE(CheckStore(path_).ok());
}

TEST_F(SqliteStoreTest, LeavesAShortLogBehindWhenItCloses) {
  {
    const auto store = Open();
    Fill(*store);
  }
  EXPECT_FALSE(std::filesystem::exists(path_ + "-wal"));
  EXPECT_FALSE(std::filesystem::exists(path_ + "-shm"));
}

TEST_F(SqliteStoreTest, RefusesASecondService) {
  const auto store = Open();
  Fill(*store);
  const std::string before = ReadAll(path_);
  EXPECT_EQ(ExitCodeOfOpen("another service uses"), 73);
  EXPECT_EQ(ReadAll(path_), before);
  EXPECT_TRUE(AddReport(*store, 1).ok());
}

// A service that is killed between fork and exec leaves a child behind that
// shares its lock for a moment.
TEST(StoreLockTest, OutlastsAChildOfADeadHolder) {
  const TemporaryFolder folder;
  int go[2];
  ASSERT_EQ(pipe(go), 0);
  const pid_t holder = fork();
  if (holder == 0) {
    const auto lock = StoreLock::Acquire(folder.path());
    if (fork() == 0) {
      close(go[1]);
      char byte = 0;
      // Until the test has begun to wait for the lock, and a little longer.
      [[maybe_unused]] const ssize_t count = read(go[0], &byte, 1);
      usleep(50'000);
      _exit(0);
    }
    _exit(lock.ok() ? 0 : 1);
  }
  close(go[0]);
  int status = -1;
  ASSERT_EQ(waitpid(holder, &status, 0), holder);
  ASSERT_EQ(status, 0);
  close(go[1]);
  const auto lock = StoreLock::Acquire(folder.path());
  EXPECT_TRUE(lock.ok()) << lock.status();
}

TEST_F(SqliteStoreTest, RefusesAServiceInAnotherProcess) {
  const auto store = Open();
  const pid_t child = fork();
  if (child == 0) _exit(ExitCodeFor(SqliteStore::Open(path_).status()));
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 73);
}

TEST_F(SqliteStoreTest, LocksOutACuriousProgram) {
  const auto store = Open();
  Fill(*store);
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(path_.c_str(), &handle), SQLITE_OK);
  EXPECT_EQ(
      sqlite3_exec(handle, "SELECT * FROM study", nullptr, nullptr, nullptr),
      SQLITE_BUSY);
  EXPECT_EQ(sqlite3_exec(handle, "VACUUM", nullptr, nullptr, nullptr),
            SQLITE_BUSY);
  sqlite3_close(handle);
  EXPECT_TRUE(AddReport(*store, 1).ok());
}

TEST_F(SqliteStoreTest, SaysSoIfAnotherProgramHasTheFile) {
  Open();
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(path_.c_str(), &handle), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(handle, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr),
            SQLITE_OK);
  EXPECT_EQ(ExitCodeOfOpen("another process"), 73);
  sqlite3_close(handle);
}

TEST_F(SqliteStoreTest, RefusesANewerSchemaAndWritesNothing) {
  { Fill(*Open()); }
  RunSql(path_, "PRAGMA user_version = " + std::to_string(NewestSchema() + 1));
  const std::string before = ReadAll(path_);
  EXPECT_EQ(
      ExitCodeOfOpen("schema version " + std::to_string(NewestSchema() + 1)),
      76);
  EXPECT_EQ(ReadAll(path_), before);
}

TEST_F(SqliteStoreTest, RefusesWhatIsNotADatabase) {
  std::ofstream(path_) << std::string(5000, 'x');
  EXPECT_EQ(ExitCodeOfOpen("not a database"), 74);
  std::ofstream(path_) << "short";
  EXPECT_EQ(ExitCodeOfOpen("not a database"), 74);
}

TEST_F(SqliteStoreTest, RefusesADatabaseOfAnotherProgram) {
  RunSql(path_, "CREATE TABLE notes (text)");
  const std::string before = ReadAll(path_);
  EXPECT_EQ(ExitCodeOfOpen("another program"), 74);
  EXPECT_EQ(ReadAll(path_), before);
  RunSql(path_, "PRAGMA application_id = 7");
  EXPECT_EQ(ExitCodeOfOpen("another program"), 74);
}

TEST_F(SqliteStoreTest, RefusesADamagedDatabase) {
  { Fill(*Open()); }
  // Everything after the header: the schema cannot be read any more.
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(100);
  file << std::string(4096 * 8, '\x5a');
  file.close();
  EXPECT_EQ(ExitCodeOfOpen("`vernier check` says what is damaged"), 74);
}

TEST_F(SqliteStoreTest, RefusesAMissingFolder) {
  const auto store = SqliteStore::Open(folder_.path() + "/none/vernier.db");
  EXPECT_EQ(ExitCodeFor(store.status()), 74);
  EXPECT_THAT(std::string(store.status().message()),
              HasSubstr("no such folder"));
}

TEST_F(SqliteStoreTest, RefusesAFolderInPlaceOfTheFile) {
  std::filesystem::create_directory(path_);
  EXPECT_EQ(ExitCodeOfOpen("not a regular file"), 74);
}

// Opens the store in a child that is an ordinary user; its exit code.
int ExitCodeAsUser(uid_t user, const std::string& path) {
  const pid_t child = fork();
  if (child == 0) {
    if (setgid(user) != 0 || setuid(user) != 0) _exit(1);
    _exit(ExitCodeFor(SqliteStore::Open(path).status()));
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WEXITSTATUS(status);
}

TEST_F(SqliteStoreTest, RefusesTheFolderOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  EXPECT_EQ(ExitCodeAsUser(12345, path_), 77);
  ASSERT_EQ(chown(folder_.path().c_str(), 12345, 12345), 0);
  EXPECT_EQ(ExitCodeOfOpen("belongs to"), 77);
  EXPECT_EQ(ExitCodeAsUser(12345, path_), 0);
}

TEST_F(SqliteStoreTest, RefusesWhatIsReadOnly) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  ASSERT_EQ(chown(folder_.path().c_str(), 12345, 12345), 0);
  ASSERT_EQ(ExitCodeAsUser(12345, path_), 0);
  ASSERT_EQ(chmod(path_.c_str(), 0400), 0);
  EXPECT_EQ(ExitCodeAsUser(12345, path_), 74);
  ASSERT_EQ(chmod(path_.c_str(), 0000), 0);
  EXPECT_EQ(ExitCodeAsUser(12345, path_), 74);
  ASSERT_EQ(chmod(path_.c_str(), 0600), 0);
  ASSERT_EQ(chmod(folder_.path().c_str(), 0500), 0);
  EXPECT_EQ(ExitCodeAsUser(12345, path_), 74);
}

TEST(StoreLocationTest, KnowsNetworkFilesystems) {
  EXPECT_TRUE(IsNetworkFilesystem(0x6969));                    // NFS
  EXPECT_TRUE(IsNetworkFilesystem(0x0bd00bd0));                // Lustre
  EXPECT_TRUE(IsNetworkFilesystem(std::int64_t{0xff534d42}));  // CIFS
  // f_type is signed on some machines.
  EXPECT_TRUE(IsNetworkFilesystem(static_cast<std::int32_t>(0xff534d42)));
  EXPECT_FALSE(IsNetworkFilesystem(0xef53));      // ext4
  EXPECT_FALSE(IsNetworkFilesystem(0x58465342));  // XFS
  EXPECT_FALSE(IsNetworkFilesystem(0x01021994));  // tmpfs
}

TEST(ExitCodeTest, IsOnePerFailure) {
  EXPECT_EQ(ExitCodeFor(absl::OkStatus()), 0);
  EXPECT_EQ(ExitCodeFor(absl::AbortedError("")), 73);
  EXPECT_EQ(ExitCodeFor(absl::InternalError("")), 74);
  EXPECT_EQ(ExitCodeFor(absl::DataLossError("")), 74);
  EXPECT_EQ(ExitCodeFor(absl::ResourceExhaustedError("")), 74);
  EXPECT_EQ(ExitCodeFor(absl::UnavailableError("")), 75);
  EXPECT_EQ(ExitCodeFor(absl::FailedPreconditionError("")), 76);
  EXPECT_EQ(ExitCodeFor(absl::PermissionDeniedError("")), 77);
}

TEST_F(SqliteStoreTest, SaysThatTheDiskIsFullWhenOpening) {
  const auto store = SqliteStore::Open(path_, {.max_pages = 3});
  EXPECT_EQ(store.status().code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(ExitCodeFor(store.status()), 74);
  EXPECT_THAT(std::string(store.status().message()), HasSubstr("full"));
  Open();  // Nothing half-made is left.
}

TEST_F(SqliteStoreTest, LosesNothingWhenTheDiskIsFullAndGoesOnAfterwards) {
  { Fill(*Open()); }
  const int pages = static_cast<int>(std::filesystem::file_size(path_) / 4096);
  std::string before;
  {
    const auto store = Open({.max_pages = pages + 2});
    std::int64_t step = 0;
    absl::Status status;
    while (status.ok()) {
      before = SnapshotText::Of(*store->Snapshot());
      // The labels are changed before the report finds no room.
      ++step;
      status = store->Commit(
          {UpdateLabels{StudyId{1}, {{"step", std::to_string(step)}}, {}},
           AddMeasurements{key_, {Report(step, 1)}}},
          At(3));
    }
    EXPECT_EQ(status.code(), StatusCode::kResourceExhausted) << status;
    EXPECT_GT(step, 10);
    EXPECT_EQ(SnapshotText::Of(*store->Snapshot()), before);
    EXPECT_TRUE(store->Health().ok());

    // What needs no room is still accepted: the store keeps working.
    const absl::Status small = store->Commit(
        {CheckpointJob{StudyId{1}, std::chrono::microseconds(5), {}}}, At(9));
    EXPECT_TRUE(small.ok()) << small;
    EXPECT_EQ(store->Snapshot()->at(StudyId{1})->labels.at("step"),
              std::to_string(step - 1));
    before = SnapshotText::Of(*store->Snapshot());
  }
  EXPECT_TRUE(CheckStore(path_).ok());
  const auto store = Open();
  EXPECT_EQ(SnapshotText::Of(*store->Snapshot()), before);
  EXPECT_TRUE(AddReport(*store, 1 << 20).ok());
}

TEST_F(SqliteStoreTest, NeverTriesAgainAfterAFailedSync) {
  FaultyVfs vfs("fails-sync");
  const auto store = Open({.vfs = vfs.name()});
  Fill(*store);
  vfs.FailFrom(FaultyVfs::Operation::kSync, 1, SQLITE_IOERR_FSYNC);
  EXPECT_EQ(AddReport(*store, 1).code(), StatusCode::kUnavailable);
  vfs.Heal();
  EXPECT_EQ(AddReport(*store, 2).code(), StatusCode::kUnavailable);
  EXPECT_EQ(ExitCodeFor(store->Health()), 75);
  EXPECT_EQ(store->CreateJob(MakeJob({.job_id = "b"}), At(3)).status().code(),
            StatusCode::kUnavailable);
  EXPECT_EQ(
      store->ListEvents(EventSequence{0}, std::nullopt, 1).status().code(),
      StatusCode::kUnavailable);
  // What was known stays readable.
  EXPECT_EQ(store->Snapshot()->size(), 1u);
}

TEST_F(SqliteStoreTest, SurvivesAFailureOfAnyWriteOrSync) {
  using Operation = FaultyVfs::Operation;
  for (const auto& [operation, code] :
       {std::pair{Operation::kWrite, SQLITE_IOERR_WRITE},
        std::pair{Operation::kWrite, SQLITE_FULL},
        std::pair{Operation::kSync, SQLITE_IOERR_FSYNC}}) {
    bool reached = true;
    for (int n = 1; reached; ++n) {
      SCOPED_TRACE(testing::Message() << "operation " << n << " code " << code);
      const TemporaryFolder folder;
      FaultyVfs vfs("fails-any");
      std::vector<std::int64_t> acknowledged;
      {
        auto store = SqliteStore::Open(folder.database(), {.vfs = vfs.name()});
        ASSERT_TRUE(store.ok()) << store.status();
        Fill(**store);
        vfs.FailFrom(operation, n, code);
        for (std::int64_t step = 1; step <= 12; ++step) {
          if (AddReport(**store, step).ok()) acknowledged.push_back(step);
        }
        reached = vfs.was_reached();
      }
      vfs.Heal();
      const absl::Status checked = CheckStore(folder.database());
      ASSERT_TRUE(checked.ok()) << checked;
      const auto store = SqliteStore::Open(folder.database());
      ASSERT_TRUE(store.ok()) << store.status();
      const std::set<std::int64_t> found = StoredSteps(**store);
      for (const std::int64_t step : acknowledged) {
        EXPECT_EQ(found.count(step), 1u) << "lost " << step;
      }
    }
  }
}

TEST_F(SqliteStoreTest, RefusesOneItemWithoutHurtingItsNeighbours) {
  const auto store = Open();
  Fill(*store);
  std::vector<std::thread> threads;
  std::atomic<int> stored = 0;
  std::atomic<int> refused = 0;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int step = 0; step < 50; ++step) {
        const bool is_bad = i % 2 == 0;
        AddMeasurements report{key_, {Report(i * 1000 + step, 1)}};
        if (is_bad) report.measurements.push_back(Report(1, 1, ""));
        ++(store->Commit({report}, At(3)).ok() ? stored : refused);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(stored, 200);
  EXPECT_EQ(refused, 200);
  EXPECT_EQ(store->Snapshot()
                ->at(StudyId{1})
                ->trials.Get(TrialId{1})
                .objective.finite_count,
            200);
}

TEST_F(SqliteStoreTest, ServesReadersWhileItWrites) {
  const auto store = Open();
  Fill(*store);
  std::thread writer([&] {
    for (int step = 1; step <= 200; ++step) {
      EXPECT_TRUE(AddReport(*store, step).ok());
    }
  });
  std::int64_t seen = 0;
  while (seen < 200) {
    const std::int64_t now = store->Snapshot()
                                 ->at(StudyId{1})
                                 ->trials.Get(TrialId{1})
                                 .objective.finite_count;
    EXPECT_GE(now, seen);
    // The rows are never behind the snapshot.
    EXPECT_GE(static_cast<std::int64_t>(
                  store->ListMeasurements(StudyId{1}, TrialId{1}, "", 999)
                      .value()
                      .size()),
              now);
    seen = now;
  }
  writer.join();
}

}  // namespace
}  // namespace vernier
