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
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "store/exit_code.h"
#include "store/pages/checksum_vfs.h"
#include "store/pages/store_location.h"
#include "store/sqlite/schema.h"
#include "tests/store/checked_store.h"
#include "tests/store/client_fixture.h"
#include "tests/store/faulty_vfs.h"
#include "tests/store/fixture_database.h"
#include "tests/store/job_fixture.h"
#include "tests/store/snapshot_text.h"
#include "tests/store/temporary_folder.h"
#include "tests/support/await_condition.h"

namespace vernier {
namespace {

using absl::StatusCode;
using testing::HasSubstr;

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

TEST_F(SqliteStoreTest, KnowsAllMetricsOfOpenTrialsAfterReopening) {
  std::string before;
  {
    const auto store = Open();
    const StudyId study =
        store->CreateStudy(MakeClientStudy({.metrics = 3}), At(1)).value();
    const std::vector<Change> start = {
        CreateTrials{study, {MakeClientTrial(0.25), MakeClientTrial(0.5)}},
        Assign(study, 1, "c").front(), Assign(study, 2, "c").front(),
        AddMeasurements{Reporter(study, 1),
                        {{"loss", 1, At(2), 0.5},
                         {"m2", 1, At(2), 7},
                         {"m2", 2, At(3), std::nan("")},
                         {"m2", 1, At(4), 8}}}};
    const absl::Status status = store->Commit(start, At(2));
    ASSERT_TRUE(status.ok()) << status;
    const StudySnapshot& now = *store->Snapshot()->at(study);
    ASSERT_EQ(now.trials.Get(TrialId{1}).others.size(), 1u);
    EXPECT_EQ(now.trials.Get(TrialId{1}).others.at("m2").not_finite_count, 1);
    before = SnapshotText::Of(*store->Snapshot());
  }
  EXPECT_EQ(SnapshotText::Of(*Open()->Snapshot()), before);
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
        auto* const kind = std::get_if<StudyChange>(&change);
        auto* const move =
            kind == nullptr ? nullptr : std::get_if<MoveTrial>(kind);
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

TEST_F(SqliteStoreTest, KeepsTheReasonOfAPauseAfterReopening) {
  {
    const auto store = Open();
    Fill(*store);
    ASSERT_TRUE(store
                    ->Commit({WantKill{key_, TrialEndCause::kStoppedEarly,
                                       "it pauses"}},
                             At(3))
                    .ok());
  }
  const AttemptRecord attempt = Open()
                                    ->Snapshot()
                                    ->at(StudyId{1})
                                    ->trials.Get(TrialId{1})
                                    .attempts.back();
  EXPECT_TRUE(attempt.kill_wanted);
  EXPECT_EQ(attempt.message, "it pauses");
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
  RunSql(path_, "PRAGMA user_version = " +
                    std::to_string(StudiesSchema().newest() + 1));
  const std::string before = ReadAll(path_);
  EXPECT_EQ(ExitCodeOfOpen("schema version " +
                           std::to_string(StudiesSchema().newest() + 1)),
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
    while (status.ok() && step < 100'000) {
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

// SQLite calls it a fault of the disk.
TEST_F(SqliteStoreTest, AFullQuotaIsAFullDisk) {
  FaultyVfs vfs("fails-by-quota");
  const auto store = Open({.vfs = vfs.name()});
  Fill(*store);
  vfs.FailFrom(FaultyVfs::Operation::kWrite, 1, SQLITE_IOERR_WRITE, EDQUOT);
  EXPECT_EQ(AddReport(*store, 1).code(), StatusCode::kResourceExhausted);
  EXPECT_TRUE(store->Health().ok()) << store->Health();
  vfs.Heal();
  EXPECT_TRUE(AddReport(*store, 2).ok());
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
  const bool all_seen = AwaitCondition([&] {
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
    return seen == 200;
  });
  writer.join();
  EXPECT_TRUE(all_seen);
}

}  // namespace
}  // namespace vernier
