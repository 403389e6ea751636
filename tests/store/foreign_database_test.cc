#include "store/foreign/foreign_database.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/status_macros.h"
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

}  // namespace
}  // namespace vernier
