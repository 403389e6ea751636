#include "store/sqlite/schema.h"

#include <gtest/gtest.h>

#include "tests/store/temporary_folder.h"

namespace vernier {
namespace {

class SchemaTest : public testing::Test {
 protected:
  std::unique_ptr<SqliteDatabase> Open() {
    auto database = SqliteDatabase::Open(folder_.database(), {}).value();
    EXPECT_TRUE(ConfigureConnection(*database).ok());
    return database;
  }

  static std::int64_t Version(SqliteDatabase& database) {
    return database.QueryInt("PRAGMA user_version").value();
  }

  const TemporaryFolder folder_;
};

TEST_F(SchemaTest, ConfiguresForSafety) {
  const auto database = Open();
  EXPECT_EQ(database->QueryText("PRAGMA journal_mode").value(), "wal");
  EXPECT_EQ(database->QueryText("PRAGMA locking_mode").value(), "exclusive");
  EXPECT_EQ(database->QueryInt("PRAGMA synchronous").value(), 2);
  EXPECT_EQ(database->QueryInt("PRAGMA foreign_keys").value(), 1);
  EXPECT_EQ(database->QueryInt("PRAGMA trusted_schema").value(), 0);
  EXPECT_EQ(database->QueryInt("PRAGMA cell_size_check").value(), 1);
  EXPECT_EQ(database->QueryInt("PRAGMA mmap_size").value(), 0);
}

TEST_F(SchemaTest, LeadsAnEmptyDatabaseToTheNewestVersion) {
  const auto database = Open();
  ASSERT_TRUE(Migrate(*database, StudiesSchema()).ok());
  EXPECT_EQ(Version(*database), StudiesSchema().newest());
  EXPECT_EQ(database->QueryInt("PRAGMA application_id").value(),
            kApplicationId);
  EXPECT_TRUE(Migrate(*database, StudiesSchema()).ok()) << "not idempotent";
}

TEST_F(SchemaTest, AppliesOnlyTheStepsThatAreMissing) {
  const auto database = Open();
  ASSERT_TRUE(Migrate(*database, {5, "CREATE TABLE a (x)", {}}).ok());
  EXPECT_EQ(Version(*database), 5);
  const Schema later = {5, "CREATE TABLE a (x)", {"CREATE TABLE b (x)"}};
  ASSERT_TRUE(Migrate(*database, later).ok());
  EXPECT_EQ(Version(*database), 6);
  EXPECT_EQ(database->QueryInt("SELECT count(*) FROM sqlite_schema").value(),
            2);
  const TemporaryFolder other;
  auto fresh = SqliteDatabase::Open(other.database(), {}).value();
  ASSERT_TRUE(ConfigureConnection(*fresh).ok());
  ASSERT_TRUE(Migrate(*fresh, later).ok());
  EXPECT_EQ(Version(*fresh), 6);
}

TEST_F(SchemaTest, LeavesTheVersionBeforeAStepThatFails) {
  const Schema broken = {
      1,
      "CREATE TABLE a (x)",
      {"CREATE TABLE b (x); INSERT INTO no_such_table VALUES (1)"}};
  {
    const auto database = Open();
    EXPECT_FALSE(Migrate(*database, broken).ok());
    EXPECT_FALSE(database->in_transaction());
    EXPECT_EQ(Version(*database), 1);
  }
  const auto database = Open();
  EXPECT_EQ(Version(*database), 1);
  EXPECT_EQ(database->QueryInt("SELECT count(*) FROM sqlite_schema").value(),
            1);
  EXPECT_TRUE(
      Migrate(*database, {1, "CREATE TABLE a (x)", {"CREATE TABLE b (x)"}})
          .ok());
}

TEST_F(SchemaTest, KnowsItsVersions) {
  const Schema schema = {5, "", {"", ""}};
  for (const std::int64_t version : {0, 5, 6, 7}) {
    EXPECT_TRUE(CheckSchemaVersion("p", schema, version).ok()) << version;
  }
  for (const std::int64_t version : {1, 4, 8, 99, -1}) {
    EXPECT_TRUE(
        absl::IsFailedPrecondition(CheckSchemaVersion("p", schema, version)))
        << version;
  }
}

}  // namespace
}  // namespace vernier
