// A log whose pages are sealed is a log as SQLite's own would be: whatever
// SQLite writes into it is found again by it, and by a program without our VFS.

#include "store/pages/sealed_log.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <string>

#include "base/rng.h"
#include "store/pages/checksum_vfs.h"
#include "store/pages/write_ahead_log.h"
#include "tests/store/temporary_folder.h"

namespace vernier {
namespace {

// A connection that keeps so few pages that it writes some of them to the log
// before the commit, and then again.
class Connection {
 public:
  Connection(const std::string& path, const std::string& vfs) {
    EXPECT_EQ(sqlite3_open_v2(path.c_str(), &handle_,
                              SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                              vfs.empty() ? nullptr : vfs.c_str()),
              SQLITE_OK);
    int reserved = 8;
    sqlite3_file_control(handle_, "main", SQLITE_FCNTL_RESERVE_BYTES,
                         &reserved);
    Run("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;"
        "PRAGMA synchronous = FULL; PRAGMA cache_size = 10");
    sqlite3_wal_autocheckpoint(handle_, 0);
  }
  ~Connection() { sqlite3_close(handle_); }

  void Run(const std::string& sql) {
    EXPECT_EQ(sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr),
              SQLITE_OK)
        << sqlite3_errmsg(handle_);
  }
  std::string Ask(const std::string& sql) {
    std::string answer;
    sqlite3_exec(
        handle_, sql.c_str(),
        [](void* out, int, char** row, char**) {
          *static_cast<std::string*>(out) += row[0] == nullptr ? "" : row[0];
          return 0;
        },
        &answer, nullptr);
    return answer;
  }
  // As if the process ended without closing.
  void LeaveTheLog() {
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  }

 private:
  sqlite3* handle_ = nullptr;
};

// One transaction with random writes and savepoints.
void WriteLog(Connection& connection, std::mt19937_64& rng, bool commits) {
  connection.Run("BEGIN IMMEDIATE");
  for (int i = 0; i < 150; ++i) {
    connection.Run("INSERT OR REPLACE INTO t VALUES (" +
                   std::to_string(UniformInt(rng, 60)) + ", randomblob(" +
                   std::to_string(UniformInt(rng, 6000)) + "))");
    if (i == 40) connection.Run("SAVEPOINT s");
    if (i == 80) connection.Run("ROLLBACK TO s");
  }
  connection.Run(commits ? "UPDATE n SET c = c + 1; COMMIT" : "ROLLBACK");
}

TEST(SealedLogTest, IsALogThatSqliteReads) {
  const TemporaryFolder folder;
  const std::string path = folder.database();
  const ChecksumVfs vfs("");
  {
    Connection connection(path, vfs.name());
    connection.Run(
        "CREATE TABLE t (k INTEGER PRIMARY KEY, b);"
        "CREATE TABLE n (c); INSERT INTO n VALUES (0)");
  }
  std::mt19937_64 rng = MakeRng(20, 5);
  int commits = 0;
  for (int round = 0; round < 12; ++round) {
    SCOPED_TRACE(round);
    // Now and then by a program that knows nothing of checksums, which reads
    // and moves the log.
    Connection connection(path, round % 4 == 3 ? "" : vfs.name());
    ASSERT_EQ(connection.Ask("PRAGMA integrity_check"), "ok") << vfs.fault();
    ASSERT_EQ(connection.Ask("SELECT c FROM n"), std::to_string(commits));
    if (round % 4 == 3) continue;
    for (int i = 0; i < 3; ++i) {
      const bool will_commit = UniformInt(rng, 4) > 0;
      WriteLog(connection, rng, will_commit);
      commits += will_commit;
    }
    if (round % 3 > 0) connection.LeaveTheLog();
  }
  EXPECT_EQ(vfs.fault(), "");
  EXPECT_GT(commits, 10);
}

// The frames of a transaction that was taken back are written over, by one that
// is too small to be written twice.
TEST(SealedLogTest, GoesOnAfterWhatWasTakenBack) {
  const TemporaryFolder folder;
  const ChecksumVfs vfs("");
  std::mt19937_64 rng = MakeRng(20, 7);
  {
    Connection connection(folder.database(), vfs.name());
    connection.Run(
        "CREATE TABLE t (k INTEGER PRIMARY KEY, b);"
        "CREATE TABLE n (c); INSERT INTO n VALUES (0)");
    for (int i = 0; i < 20; ++i) {
      WriteLog(connection, rng, false);
      connection.Run("UPDATE n SET c = c + 1");
    }
    connection.LeaveTheLog();
  }
  Connection connection(folder.database(), vfs.name());
  EXPECT_EQ(connection.Ask("SELECT c FROM n"), "20");
  EXPECT_EQ(connection.Ask("PRAGMA integrity_check"), "ok") << vfs.fault();
}

TEST(SealedLogTest, EndsWithTheLastCommit) {
  const TemporaryFolder folder;
  const ChecksumVfs vfs("");
  std::mt19937_64 rng = MakeRng(20, 6);
  {
    Connection connection(folder.database(), vfs.name());
    connection.Run(
        "CREATE TABLE t (k INTEGER PRIMARY KEY, b);"
        "CREATE TABLE n (c); INSERT INTO n VALUES (0)");
    WriteLog(connection, rng, true);
    WriteLog(connection, rng, false);
    WriteLog(connection, rng, true);
    connection.LeaveTheLog();
  }
  const auto log = ReadWriteAheadLog(folder.database() + "-wal", 4096);
  ASSERT_TRUE(log.ok()) << log.status();
  EXPECT_TRUE(log->has_valid_header);
  EXPECT_GT(log->committed_frames, 100);
  EXPECT_EQ(log->pages.at(vfs.newest_frame().page), log->committed_frames - 1);
  EXPECT_FALSE(log->lost_synced_commit);
}

}  // namespace
}  // namespace vernier
