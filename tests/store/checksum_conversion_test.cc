// Databases of releases before checksums get them once, wherever that is
// interrupted.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "store/check/store_check.h"
#include "store/pages/store_location.h"
#include "store/sqlite/database_file.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/sqlite_store.h"
#include "tests/store/checked_store.h"
#include "tests/store/faulty_vfs.h"
#include "tests/store/snapshot_text.h"
#include "tests/store/temporary_folder.h"

namespace vernier {
namespace {

std::string Fixture() {
  std::ifstream file(VERNIER_TESTDATA_DIR "/store/fixtures/schema_0005.sql");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// As the release left it that made the fixture: with a log.
void MakeOldDatabase(const std::string& path) {
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
  const std::string sql =
      "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;" + Fixture();
  ASSERT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  sqlite3_close(handle);
  ASSERT_GT(std::filesystem::file_size(path + "-wal"), 0u);
  ASSERT_EQ(ReadDatabaseHeader(path)->reserved_bytes, 0);
}

void ExpectWhole(const std::string& path) {
  {
    const auto store = SqliteStore::Open(path);
    ASSERT_TRUE(store.ok()) << store.status();
    const auto snapshot = (*store)->Snapshot();
    ASSERT_EQ(snapshot->size(), 1u);
    ASSERT_EQ(snapshot->at(StudyId{1})->trials.size(), 2u);
    EXPECT_EQ((*store)->FindRequest("r5")->trial, TrialId{2});
    EXPECT_FALSE((*store)->log_note().has_value());
  }
  EXPECT_EQ(ReadDatabaseHeader(path)->reserved_bytes, 8);
  EXPECT_EQ(ReadDatabaseHeader(path)->user_version, NewestSchema());
  EXPECT_TRUE(CheckStore(path).ok()) << CheckStore(path);
}

TEST(ChecksumConversionTest, KeepsAllThatAnOldDatabaseHolds) {
  const TemporaryFolder folder;
  MakeOldDatabase(folder.database());
  ExpectWhole(folder.database());
  struct stat entry {};
  ASSERT_EQ(stat(folder.database().c_str(), &entry), 0);
  EXPECT_EQ(entry.st_mode & 0777, 0600u);
  EXPECT_FALSE(std::filesystem::exists(folder.database() + ".converting"));
}

// An older release was killed before its first migration.
TEST(ChecksumConversionTest, TakesUpADatabaseWithoutTables) {
  const TemporaryFolder folder;
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(folder.database().c_str(), &handle), SQLITE_OK);
  sqlite3_exec(handle,
               "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;",
               nullptr, nullptr, nullptr);
  sqlite3_close(handle);
  ASSERT_EQ(ReadDatabaseHeader(folder.database())->reserved_bytes, 0);
  for (int i = 0; i < 2; ++i) {
    const auto store = SqliteStore::Open(folder.database());
    ASSERT_TRUE(store.ok()) << store.status();
  }
  EXPECT_EQ(ReadDatabaseHeader(folder.database())->reserved_bytes, 8);
}

TEST(ChecksumConversionTest, TheCheckerNamesADatabaseWithoutChecksums) {
  const TemporaryFolder folder;
  MakeOldDatabase(folder.database());
  const DatabaseReport report =
      CheckStudies(folder.database(), nullptr).value();
  EXPECT_THAT(report.violations, testing::IsEmpty());
  EXPECT_THAT(
      report.notes,
      testing::Contains(testing::HasSubstr("its pages have no checksums")));
}

// Each write and each sync fails once, and all that follow: as if the process
// had been killed there.
TEST(ChecksumConversionTest, LosesNothingWhereverItIsInterrupted) {
  for (const auto operation :
       {FaultyVfs::Operation::kWrite, FaultyVfs::Operation::kSync}) {
    bool was_reached = true;
    int n = 1;
    for (; was_reached; ++n) {
      SCOPED_TRACE(n);
      const TemporaryFolder folder;
      MakeOldDatabase(folder.database());
      {
        FaultyVfs vfs("interrupts");
        vfs.FailFrom(operation, n, SQLITE_IOERR_WRITE);
        SqliteStoreOptions options;
        options.vfs = vfs.name();
        const auto store = SqliteStore::Open(folder.database(), options);
        was_reached = vfs.was_reached();
        EXPECT_EQ(store.ok(), !was_reached);
      }
      ExpectWhole(folder.database());
      if (HasFatalFailure()) return;
    }
    EXPECT_GT(n, 3);
  }
}

TEST(ChecksumConversionTest, StartsOverAfterACopyThatWasNotFinished) {
  const TemporaryFolder folder;
  MakeOldDatabase(folder.database());
  std::ofstream(folder.database() + ".converting") << std::string(5000, 'x');
  ExpectWhole(folder.database());
}

// The number in the header was raised by a release that writes checksums.
TEST(ChecksumConversionTest, NeverTakesADamagedHeaderForAnOldDatabase) {
  const TemporaryFolder folder;
  { ASSERT_TRUE(SqliteStore::Open(folder.database()).ok()); }
  std::fstream file(folder.database(),
                    std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(20);
  file.put('\0');
  file.close();
  EXPECT_TRUE(absl::IsDataLoss(SqliteStore::Open(folder.database()).status()));
}

TEST(ChecksumConversionTest, RefusesAnOldDatabaseThatIsDamaged) {
  const TemporaryFolder folder;
  MakeOldDatabase(folder.database());
  // Into the file, and out of the log.
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(folder.database().c_str(), &handle), SQLITE_OK);
  sqlite3_exec(handle, "PRAGMA wal_checkpoint(TRUNCATE)", nullptr, nullptr,
               nullptr);
  sqlite3_close(handle);
  std::fstream file(folder.database(),
                    std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(4096 * 2);
  file << std::string(200, '\x5a');
  file.close();
  const absl::Status status = SqliteStore::Open(folder.database()).status();
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_EQ(ReadDatabaseHeader(folder.database())->reserved_bytes, 0);
}

}  // namespace
}  // namespace vernier
