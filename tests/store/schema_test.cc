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
  ASSERT_TRUE(Migrate(*database, Migrations()).ok());
  EXPECT_EQ(Version(*database), NewestSchema());
  EXPECT_EQ(database->QueryInt("PRAGMA application_id").value(),
            kApplicationId);
  EXPECT_TRUE(Migrate(*database, Migrations()).ok()) << "not idempotent";
}

TEST_F(SchemaTest, AppliesOnlyTheStepsThatAreMissing) {
  const auto database = Open();
  ASSERT_TRUE(Migrate(*database, {"CREATE TABLE a (x)"}).ok());
  ASSERT_TRUE(
      Migrate(*database, {"CREATE TABLE a (x)", "CREATE TABLE b (x)"}).ok());
  EXPECT_EQ(Version(*database), 2);
  EXPECT_EQ(database->QueryInt("SELECT count(*) FROM sqlite_schema").value(),
            2);
}

TEST_F(SchemaTest, LeavesTheVersionBeforeAStepThatFails) {
  const std::vector<const char*> broken = {
      "CREATE TABLE a (x)",
      "CREATE TABLE b (x); INSERT INTO no_such_table VALUES (1)"};
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
      Migrate(*database, {"CREATE TABLE a (x)", "CREATE TABLE b (x)"}).ok());
}

// What is fresh and what was migrated step by step must be the same text.
TEST_F(SchemaTest, FreshEqualsMigrated) {
  const char* const kSchemaText =
      "SELECT group_concat(sql, ';') FROM"
      " (SELECT sql FROM sqlite_schema ORDER BY name)";
  const auto fresh = Open();
  ASSERT_TRUE(Migrate(*fresh, Migrations()).ok());
  const TemporaryFolder other;
  auto migrated = SqliteDatabase::Open(other.database(), {}).value();
  ASSERT_TRUE(ConfigureConnection(*migrated).ok());
  std::vector<const char*> steps;
  for (const char* step : Migrations()) {
    steps.push_back(step);
    ASSERT_TRUE(Migrate(*migrated, steps).ok());
  }
  EXPECT_EQ(migrated->QueryText(kSchemaText).value(),
            fresh->QueryText(kSchemaText).value());
}

}  // namespace
}  // namespace vernier
