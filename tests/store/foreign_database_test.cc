#include "store/foreign/foreign_database.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/status_macros.h"
#include "base/unique_fd.h"
#include "tests/store/temporary_folder.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

using testing::ElementsAre;
using testing::HasSubstr;

class ForeignDatabaseTest : public testing::Test {
 protected:
  void Write(const std::string& sql) {
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(path().c_str(), &handle), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr),
              SQLITE_OK)
        << sqlite3_errmsg(handle);
    sqlite3_close(handle);
  }

  std::string path() const { return folder_ / "other.db"; }

  // The numbers of table t, or the error.
  absl::StatusOr<std::vector<std::int64_t>> Numbers(
      const char* sql = "SELECT n FROM t ORDER BY n") const {
    VERNIER_ASSIGN_OR_RETURN(const auto database,
                             ForeignDatabase::Open(path(), {"t"}));
    std::vector<std::int64_t> numbers;
    VERNIER_RETURN_IF_ERROR(
        database->ForEachRow(sql, [&](const ForeignRow& row) {
          numbers.push_back(row.Int(0).value_or(-1));
          return absl::OkStatus();
        }));
    return numbers;
  }

  TemporaryFolder folder_;
};

TEST_F(ForeignDatabaseTest, ReadsWhatIsThere) {
  Write("CREATE TABLE t(n); INSERT INTO t VALUES (1), ('x'), (2)");
  const auto numbers = Numbers();
  ASSERT_TRUE(numbers.ok()) << numbers.status();
  EXPECT_THAT(*numbers, ElementsAre(1, 2, -1));
}

TEST_F(ForeignDatabaseTest, LeavesTheFolderAsItIs) {
  Write("PRAGMA journal_mode=WAL; CREATE TABLE t(n); INSERT INTO t VALUES (1)");
  const auto numbers = Numbers();
  ASSERT_TRUE(numbers.ok()) << numbers.status();
  EXPECT_THAT(*numbers, ElementsAre(1));
  int files = 0;
  for (const auto& entry : fs::directory_iterator(folder_.path())) {
    EXPECT_EQ(entry.path().filename(), "other.db");
    ++files;
  }
  EXPECT_EQ(files, 1);
}

TEST_F(ForeignDatabaseTest, ReadsTheLogOfAWriterThatIsThere) {
  sqlite3* writer = nullptr;
  ASSERT_EQ(sqlite3_open(path().c_str(), &writer), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(writer,
                         "PRAGMA journal_mode=WAL; CREATE TABLE t(n); "
                         "INSERT INTO t VALUES (5)",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  const auto numbers = Numbers();
  sqlite3_close(writer);
  ASSERT_TRUE(numbers.ok()) << numbers.status();
  EXPECT_THAT(*numbers, ElementsAre(5));
}

TEST_F(ForeignDatabaseTest, RefusesTablesThatAreNone) {
  Write("CREATE TABLE u(n); CREATE VIEW t AS SELECT 1 AS n");
  EXPECT_EQ(Numbers().status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(Numbers().status().message()),
              HasSubstr("no ordinary table \"t\""));
}

// Its functions would be called.
TEST_F(ForeignDatabaseTest, RefusesATableWithGeneratedColumns) {
  for (const char* kind : {"STORED", "VIRTUAL"}) {
    Write(std::string("DROP TABLE IF EXISTS t; CREATE TABLE t(a, n AS "
                      "(a + length(hex(zeroblob(9)))) ") +
          kind + "); INSERT INTO t VALUES (1)");
    EXPECT_EQ(Numbers().status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(Numbers().status().message()),
                HasSubstr("the table \"t\" has generated columns"));
  }
}

TEST_F(ForeignDatabaseTest, ReadsNoOtherTableAndCallsNothing) {
  Write("CREATE TABLE t(n); CREATE TABLE u(n); INSERT INTO t VALUES (1)");
  for (const char* sql :
       {"SELECT n FROM u", "SELECT abs(n) FROM t", "DELETE FROM t",
        "SELECT name FROM sqlite_schema", "PRAGMA user_version"}) {
    EXPECT_FALSE(Numbers(sql).ok()) << sql;
  }
}

TEST_F(ForeignDatabaseTest, NamesAFileThatIsNone) {
  EXPECT_EQ(Numbers().status().code(), absl::StatusCode::kNotFound);
  std::ofstream(path()) << "lr,loss\n";
  EXPECT_THAT(std::string(Numbers().status().message()),
              HasSubstr("is no SQLite database"));
  EXPECT_FALSE(ForeignDatabase::IsDatabase(path()));
}

TEST_F(ForeignDatabaseTest, SaysThatAFileIsDamaged) {
  Write("CREATE TABLE t(n); INSERT INTO t VALUES (1)");
  fs::resize_file(path(), 4096);
  EXPECT_EQ(Numbers().status().code(), absl::StatusCode::kDataLoss)
      << Numbers().status();
}

// A database that a program has open, with what is only in its log.
class OpenFilesTest : public ForeignDatabaseTest {
 protected:
  OpenFilesTest() {
    EXPECT_EQ(sqlite3_open(path().c_str(), &writer_), SQLITE_OK);
    Run("PRAGMA journal_mode=WAL; CREATE TABLE t(n); INSERT INTO t VALUES (1);"
        "PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO t VALUES (2)");
  }
  ~OpenFilesTest() override { sqlite3_close(writer_); }

  void Run(const std::string& sql) {
    EXPECT_EQ(sqlite3_exec(writer_, sql.c_str(), nullptr, nullptr, nullptr),
              SQLITE_OK)
        << sqlite3_errmsg(writer_);
  }

  // The numbers of table t that are greater than `least`, or the error.
  absl::StatusOr<std::vector<std::int64_t>> Greater(
      std::int64_t least, const ForeignLimits& limits = {}) const {
    const UniqueFd database(::open(path().c_str(), O_RDONLY));
    const UniqueFd log(::open((path() + "-wal").c_str(), O_RDONLY));
    VERNIER_ASSIGN_OR_RETURN(
        const auto opened,
        ForeignDatabase::OpenFiles({"the database", database.get(), log.get()},
                                   {"t"}, limits));
    std::vector<std::int64_t> numbers;
    VERNIER_RETURN_IF_ERROR(
        opened->ForEachRow("SELECT n FROM t WHERE n > ?1 ORDER BY n",
                           [&](const ForeignRow& row) {
                             numbers.push_back(row.Int(0).value_or(-1));
                             return absl::OkStatus();
                           },
                           {least}));
    return numbers;
  }

  // Names and bytes of all files, those of the log's index too.
  std::map<std::string, std::string> Files() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      std::ifstream file(entry.path(), std::ios::binary);
      std::stringstream bytes;
      bytes << file.rdbuf();
      files[entry.path().filename()] = bytes.str();
    }
    return files;
  }

  sqlite3* writer_ = nullptr;
};

TEST_F(OpenFilesTest, ReadsTheLogAndChangesNothing) {
  const auto files = Files();
  EXPECT_EQ(files.size(), 3u);
  const auto numbers = Greater(0);
  ASSERT_TRUE(numbers.ok()) << numbers.status();
  EXPECT_THAT(*numbers, ElementsAre(1, 2));
  EXPECT_THAT(*Greater(1), ElementsAre(2));
  EXPECT_EQ(Files(), files);
}

TEST_F(OpenFilesTest, NeitherWaitsForAWriterNorHoldsItUp) {
  Run("BEGIN EXCLUSIVE; INSERT INTO t VALUES (3)");
  EXPECT_THAT(*Greater(0), ElementsAre(1, 2));
  const UniqueFd database(::open(path().c_str(), O_RDONLY));
  const UniqueFd log(::open((path() + "-wal").c_str(), O_RDONLY));
  const auto opened = ForeignDatabase::OpenFiles(
      {"the database", database.get(), log.get()}, {"t"}, {});
  ASSERT_TRUE(opened.ok()) << opened.status();
  Run("COMMIT; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode=DELETE;"
      "DROP TABLE t");
}

TEST_F(OpenFilesTest, ReadsWhatAKilledWriterLeft) {
  const auto files = Files();
  sqlite3_close(writer_);
  writer_ = nullptr;
  EXPECT_EQ(Files().size(), 1u);
  EXPECT_THAT(*Greater(0), ElementsAre(1, 2));
  std::ofstream(path(), std::ios::binary) << files.at("other.db");
  std::ofstream(path() + "-wal", std::ios::binary) << files.at("other.db-wal");
  EXPECT_THAT(*Greater(0), ElementsAre(1, 2));
  // Without its log, or with half of it.
  fs::resize_file(path() + "-wal", 2000);
  EXPECT_THAT(*Greater(0), ElementsAre(1));
  EXPECT_EQ(Files().size(), 2u);
}

TEST_F(OpenFilesTest, DoesOnlySoMuch) {
  ForeignLimits limits;
  limits.value_bytes = 1000;
  limits.definition_bytes = 1000;
  limits.columns = 12;
  EXPECT_TRUE(Greater(0, limits).ok()) << Greater(0, limits).status();
  limits.steps_of_look = 5;
  limits.looks = 1;
  EXPECT_EQ(Greater(0, limits).status().code(),
            absl::StatusCode::kResourceExhausted);
  limits.looks = 1000;
  limits.opening_looks = 1;
  EXPECT_EQ(Greater(0, limits).status().code(),
            absl::StatusCode::kResourceExhausted);
  limits.opening_looks = 1000;
  Run("INSERT INTO t VALUES (zeroblob(1001))");
  EXPECT_EQ(Greater(0, limits).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(Greater(0).ok());
  // Schemas whose tables are never read cost as well.
  Run("DELETE FROM t; CREATE TABLE u(a, b, c, d, e, f, g, h, i, j, k, l, m)");
  EXPECT_FALSE(Greater(0, limits).ok());
  Run("DROP TABLE u; CREATE TABLE u(a DEFAULT '" + std::string(1000, 'x') +
      "')");
  EXPECT_FALSE(Greater(0, limits).ok());
  EXPECT_TRUE(Greater(0).ok());
}

}  // namespace
}  // namespace vernier
