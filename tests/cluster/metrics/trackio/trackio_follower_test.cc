#include "cluster/metrics/trackio/trackio_follower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/cluster/metrics/trackio/trackio_builder.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

std::map<std::string, std::string> FilesIn(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    files[entry.path().filename()] =
        std::string(std::istreambuf_iterator<char>(file), {});
  }
  return files;
}

class TrackioFollowerTest : public testing::Test {
 protected:
  std::string Database(const std::string& name = "p.db") const {
    return folder_ / name;
  }

  std::vector<std::string> Read(bool final = false) {
    fresh_ = MetricReading();
    follower_.Read(final, SystemClock().Now(), fresh_);
    std::vector<std::string> texts;
    for (const Measurement& one : fresh_.measurements) {
      texts.push_back(absl::StrCat(one.metric, "@", one.step, "=", one.value));
    }
    return texts;
  }

  const ScratchFolder folder_;
  MetricReading fresh_;
  TrackioFollower follower_{folder_.path(), {"loss"}, FileOwner::kAnyone};
};

TEST_F(TrackioFollowerTest, FollowsADatabaseThatGrows) {
  EXPECT_THAT(Read(), IsEmpty());
  TrackioBuilder database(Database());
  EXPECT_THAT(Read(), IsEmpty());
  database.Log(0, R"({"loss":1})").Log(0, R"({"loss":0.5,"acc":2})");
  const auto files = FilesIn(folder_.path());
  EXPECT_THAT(files, SizeIs(3));
  EXPECT_THAT(Read(), ElementsAre("loss@0=1", "loss@0=0.5", "acc@0=2"));
  EXPECT_EQ(FilesIn(folder_.path()), files);
  EXPECT_THAT(Read(), IsEmpty());
  database.Log(1, R"({"loss":"NaN"})");
  database.Close();
  EXPECT_THAT(FilesIn(folder_.path()), SizeIs(1));
  EXPECT_THAT(Read(), ElementsAre("loss@1=nan"));
  EXPECT_THAT(Read(true), IsEmpty());
  EXPECT_THAT(fresh_.problems, IsEmpty());
}

TEST_F(TrackioFollowerTest, IsNotHeldUpByAWriter) {
  TrackioBuilder database(Database());
  database.Log(0, R"({"loss":1})");
  database.Run("BEGIN EXCLUSIVE");
  database.Log(1, R"({"loss":2})");
  EXPECT_THAT(Read(), ElementsAre("loss@0=1"));
  database.Run("COMMIT");
  EXPECT_THAT(Read(), ElementsAre("loss@1=2"));
}

TEST_F(TrackioFollowerTest, ReadsAllRunsOfAllProjectsAndOldDatabases) {
  TrackioBuilder(Database("a.db"), false)
      .Log(5, R"({"loss":1})", "first")
      .Log(0, R"({"loss":2})", "second");
  TrackioBuilder(Database("b.db")).Log(7, R"({"loss":3})");
  EXPECT_THAT(Read(), ElementsAre("loss@5=1", "loss@0=2", "loss@7=3"));
}

// The same rows have the same times, however often they are read.
TEST_F(TrackioFollowerTest, NothingDependsOnWhenItWasRead) {
  TrackioBuilder database(Database());
  std::vector<Timestamp> times;
  for (int i = 0; i < 4; ++i) {
    database.Log(i, R"({"loss":1})");
    Read();
    times.push_back(fresh_.measurements.at(0).reported_at);
  }
  MetricReading anew;
  TrackioFollower(folder_.path(), {"loss"}, FileOwner::kAnyone)
      .Read(true, SystemClock().Now(), anew);
  ASSERT_THAT(anew.measurements, SizeIs(4));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(anew.measurements[i].reported_at, times[i]);
  }
}

TEST_F(TrackioFollowerTest, ReadsManyRowsInParts) {
  TrackioBuilder database(Database());
  database.Run("BEGIN");
  for (int i = 0; i < 5000; ++i) database.Log(i, R"({"loss":1,"other":1})");
  database.Run("COMMIT");
  std::size_t read = 0;
  int calls = 0;
  do {
    read += Read(true).size();
    ++calls;
  } while (fresh_.has_more);
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(read, 5000 + kMaxTrackioPoints);
}

TEST_F(TrackioFollowerTest, WhatIsWrittenAfterTheEndIsNotAwaited) {
  TrackioBuilder database(Database());
  database.Run("BEGIN");
  for (int i = 0; i < 2500; ++i) database.Log(i, R"({"loss":1})");
  database.Run("COMMIT");
  EXPECT_THAT(Read(true), SizeIs(2000));
  database.Log(2500, R"({"loss":1})");
  TrackioBuilder(Database("late.db")).Log(0, R"({"loss":3})");
  EXPECT_THAT(Read(true), SizeIs(500));
  EXPECT_THAT(Read(true), IsEmpty());
}

TEST_F(TrackioFollowerTest, SkipsARowThatIsTooLong) {
  TrackioBuilder database(Database());
  database.Log(0, R"({"loss":1})");
  database.Log(
      1, "{\"loss\":2,\"t\":\"" + std::string(kMaxTrackioRow, 'x') + "\"}");
  database.Log(2, R"({"loss":3})");
  std::vector<std::string> found;
  std::vector<std::string> problems;
  for (int calls = 0; calls < 10; ++calls) {
    for (const std::string& one : Read()) found.push_back(one);
    for (const std::string& one : fresh_.problems) problems.push_back(one);
    if (!fresh_.has_more) break;
  }
  EXPECT_THAT(found, ElementsAre("loss@0=1", "loss@2=3"));
  EXPECT_THAT(problems, ElementsAre(HasSubstr("row 2 of the Trackio")));
}

TEST_F(TrackioFollowerTest, AReplacedDatabaseIsReadFromItsBeginning) {
  TrackioBuilder(Database()).Log(0, R"({"loss":1})").Log(1, R"({"loss":2})");
  EXPECT_THAT(Read(), SizeIs(2));
  TrackioBuilder(Database("new")).Log(3, R"({"loss":3})");
  fs::rename(Database("new"), Database());
  EXPECT_THAT(Read(), ElementsAre("loss@3=3"));
}

TEST_F(TrackioFollowerTest, AHostileDatabaseIsRefused) {
  const ScratchFolder elsewhere;
  TrackioBuilder(elsewhere / "p.db").Log(0, R"({"loss":1})");
  fs::create_symlink(elsewhere / "p.db", Database("link.db"));
  ASSERT_EQ(::mkfifo(Database("pipe.db").c_str(), 0600), 0);
  fs::create_directory(Database("folder.db"));
  WriteText(Database("text.db"), std::string(4096, 'x'));
  TrackioBuilder view(Database("view.db"));
  view.Run(
      "DROP TABLE metrics; CREATE VIEW metrics AS WITH RECURSIVE"
      " c(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM c)"
      " SELECT id, 'x' AS timestamp, 1 AS step, '{}' AS metrics FROM c");
  TrackioBuilder computed(Database("computed.db"));
  computed.Run(
      "DROP TABLE metrics; CREATE TABLE metrics (id INTEGER PRIMARY"
      " KEY, timestamp, step, big AS (hex(zeroblob(1000))),"
      " metrics AS (printf('{\"loss\":%d}', length(big))));"
      "INSERT INTO metrics (id) VALUES (1)");
  TrackioBuilder many(Database("many.db"));
  many.Run(
      "PRAGMA writable_schema=ON; WITH RECURSIVE n(i) AS (SELECT 1 UNION"
      " ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO sqlite_schema"
      " SELECT 'table', 't' || i, 't' || i, 2, 'CREATE TABLE t' || i ||"
      " '(a)' FROM n");
  many.Log(0, R"({"loss":1})");
  TrackioBuilder unordered(Database("unordered.db"));
  unordered.Run(
      "DROP TABLE metrics;"
      "CREATE TABLE metrics (id, timestamp, step, metrics);"
      "INSERT INTO metrics VALUES (1, 'x', 1, '{\"loss\":1}'),"
      " (1, 'x', 1, '{\"loss\":1}')");
  EXPECT_THAT(Read(), IsEmpty());
  // Each is named at the end, also if it has not changed for a while.
  const Timestamp later = SystemClock().Now() + std::chrono::hours(1);
  for (const bool final : {false, false, true}) {
    fresh_ = MetricReading();
    follower_.Read(final, later, fresh_);
    EXPECT_THAT(fresh_.measurements, IsEmpty());
  }
  EXPECT_THAT(fresh_.problems,
              UnorderedElementsAre(
                  HasSubstr("text.db"), HasSubstr("view.db"),
                  HasSubstr("computed.db"), HasSubstr("unordered.db"),
                  HasSubstr("many.db cannot be read: it takes more work")));
}

// A writer that changes the database in place keeps the old pages beside it.
TEST_F(TrackioFollowerTest, WaitsForAChangeInPlace) {
  TrackioBuilder database(Database());
  database.Run("PRAGMA journal_mode=PERSIST");
  database.Log(0, R"({"loss":1})");
  EXPECT_THAT(Read(), ElementsAre("loss@0=1"));
  database.Run("PRAGMA cache_size=1; PRAGMA cache_spill=1; BEGIN");
  for (int i = 1; i < 300; ++i) database.Log(i, R"({"loss":2,"other":3})");
  EXPECT_THAT(Read(), IsEmpty());
  database.Run("COMMIT");
  EXPECT_THAT(Read(), SizeIs(598));
}

TEST_F(TrackioFollowerTest, ADamagedDatabaseIsNamedAtTheEnd) {
  TrackioBuilder(Database()).Log(0, R"({"loss":1})");
  fs::resize_file(Database(), 4096);
  EXPECT_THAT(Read(), IsEmpty());
  EXPECT_THAT(fresh_.problems, IsEmpty());
  EXPECT_THAT(Read(true), IsEmpty());
  EXPECT_THAT(fresh_.problems,
              ElementsAre(HasSubstr("the Trackio database p.db cannot be")));
}

}  // namespace
}  // namespace vernier
