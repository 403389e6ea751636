// A database, its log and its mark with any byte changed or the end cut off:
// each is noticed by opening or by the checker, or it is shown that nothing of
// what was acknowledged is lost.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "base/rng.h"
#include "store/access/token_store.h"
#include "store/exit_code.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/sqlite_database.h"
#include "store/sqlite/sqlite_store.h"
#include "tests/store/checked_store.h"
#include "tests/store/client_fixture.h"
#include "tests/store/fixture_database.h"
#include "tests/store/job_fixture.h"
#include "tests/store/snapshot_text.h"
#include "tests/store/temporary_folder.h"

namespace vernier {
namespace {

using testing::HasSubstr;

void WriteAll(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// Files of a folder by name.
using Files = std::map<std::string, std::string>;

Files FilesOf(const std::string& folder) {
  Files files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files[entry.path().filename()] = ReadAll(entry.path());
  }
  return files;
}

// All that a store remembers, as text.
std::string All(const Store& store) {
  std::string text = SnapshotText::Of(*store.Snapshot());
  const auto snapshot = store.Snapshot();
  for (const auto& [id, study] : *snapshot) {
    const auto reports =
        store.ListStudyMeasurements(id, TrialId{1}, TrialId{1000}, 100000);
    for (const TrialMeasurement& each : *reports) {
      text += std::to_string(each.measurement.step) + " " +
              std::to_string(each.measurement.value) + "\n";
    }
  }
  const auto events = store.ListEvents(EventSequence{0}, std::nullopt, 100000);
  for (const Event& event : *events) {
    text += event.kind + event.payload + "\n";
  }
  return text;
}

class StoreDamageTest : public testing::Test {
 protected:
  // A job with trials that report, one after the other, and a client's study.
  void Fill(Store& store) {
    ASSERT_TRUE(
        store.CreateJob(MakeJob({.max_trials = 30, .request_id = "r"}), At(1))
            .ok());
    ASSERT_TRUE(store
                    .CreateStudy(MakeClientStudy(
                                     {.metadata = {{{"", "k"}, {true, "v"}}}}),
                                 At(1))
                    .ok());
    for (int i = 1; i <= 30; ++i) {
      const AttemptKey key{StudyId{1}, TrialId{i}, 1};
      ASSERT_TRUE(
          store
              .Commit({CreateTrials{StudyId{1}, {MakeTrial(i / 31.0)}},
                       Launch(key), AddMeasurements{key, {Report(1, i)}}},
                      At(i))
              .ok());
      ASSERT_TRUE(
          store.Commit({Exit(key), Complete(StudyId{1}, key.trial, i)}, At(i))
              .ok());
    }
  }

  // What a store leaves that is closed.
  Files ClosedFiles() {
    const TemporaryFolder folder;
    {
      const auto store = SqliteStore::Open(folder.database()).value();
      Fill(*store);
      all_ = All(*store);
    }
    return FilesOf(folder.path());
  }

  // What one leaves that is killed after its last acknowledgement.
  Files KilledFiles() {
    const TemporaryFolder folder;
    const auto store = SqliteStore::Open(folder.database()).value();
    Fill(*store);
    all_ = All(*store);
    return FilesOf(folder.path());
  }

  std::string all_;
};

struct Opened {
  absl::Status status;
  std::string all;
  std::optional<LogNote> note;
  std::vector<std::string> violations;
};

// Looks at the files with the checker, then opens them.
Opened Open(const Files& files) {
  const TemporaryFolder folder;
  for (const auto& [name, bytes] : files) {
    WriteAll(folder.path() + "/" + name, bytes);
  }
  Opened opened;
  const auto violations = FindViolations(folder.database());
  opened.violations = violations.ok()
                          ? *violations
                          : Violations{violations.status().ToString()};
  EXPECT_EQ(FilesOf(folder.path()), files) << "the checker changed a file";
  const auto store = SqliteStore::Open(folder.database());
  opened.status = store.status();
  if (!store.ok()) return opened;
  opened.all = All(**store);
  opened.note = (*store)->log_note();
  return opened;
}

bool IsLoss(const Opened& opened) {
  return opened.note.has_value() && opened.note->is_loss;
}

TEST_F(StoreDamageTest, FindsNothingWhereNothingIs) {
  for (const Files& files : {ClosedFiles(), KilledFiles()}) {
    const Opened opened = Open(files);
    EXPECT_TRUE(opened.status.ok()) << opened.status;
    EXPECT_EQ(opened.all, all_);
    EXPECT_FALSE(opened.note.has_value()) << opened.note->text;
    EXPECT_THAT(opened.violations, testing::IsEmpty());
  }
}

TEST_F(StoreDamageTest, RefusesADatabaseWithAnyByteChanged) {
  const Files files = ClosedFiles();
  const std::string& bytes = files.at("vernier.db");
  std::mt19937_64 rng = MakeRng(20, 1);
  for (int i = 0; i < 250; ++i) {
    // The first ones in the header, whose bytes mean the most.
    const std::size_t at =
        i < 100 ? static_cast<std::size_t>(i) : UniformInt(rng, bytes.size());
    SCOPED_TRACE(at);
    Files changed = files;
    changed["vernier.db"][at] ^=
        static_cast<char>(1 + static_cast<int>(UniformInt(rng, 255)));
    const Opened opened = Open(changed);
    ASSERT_EQ(ExitCodeFor(opened.status), 74) << opened.status;
    ASSERT_THAT(std::string(opened.status.message()), HasSubstr("vernier.db"));
    ASSERT_THAT(opened.violations, testing::Not(testing::IsEmpty()));
  }
}

TEST_F(StoreDamageTest, SaysWhichPageAndWhatToDo) {
  Files files = ClosedFiles();
  files["vernier.db"][4096 + 100] ^= 1;
  const Opened opened = Open(files);
  const std::string message(opened.status.message());
  EXPECT_THAT(message, HasSubstr("page 2 of"));
  EXPECT_THAT(message, HasSubstr("`vernier check`"));
  EXPECT_THAT(message, HasSubstr("Restore a backup"));
  EXPECT_THAT(opened.violations,
              testing::Contains(HasSubstr("page 2 (bytes 4096 to 8191)")));
  // Which table lies there.
  EXPECT_THAT(opened.violations,
              testing::Contains(HasSubstr("cannot be read beyond")));
}

TEST_F(StoreDamageTest, RefusesADatabaseThatIsCut) {
  const Files files = ClosedFiles();
  const std::size_t size = files.at("vernier.db").size();
  std::mt19937_64 rng = MakeRng(20, 2);
  for (int i = 0; i < 40; ++i) {
    const std::size_t length = 1 + UniformInt(rng, size - 1);
    SCOPED_TRACE(length);
    Files changed = files;
    changed["vernier.db"].resize(length);
    const Opened opened = Open(changed);
    ASSERT_EQ(ExitCodeFor(opened.status), 74) << opened.status;
    ASSERT_THAT(opened.violations, testing::Not(testing::IsEmpty()));
  }
}

TEST_F(StoreDamageTest, TellsOfALogWithAnyByteChanged) {
  const Files files = KilledFiles();
  const std::string& bytes = files.at("vernier.db-wal");
  ASSERT_GT(bytes.size(), 100'000u);
  std::mt19937_64 rng = MakeRng(20, 3);
  for (int i = 0; i < 70; ++i) {
    const std::size_t at =
        i < 32 ? static_cast<std::size_t>(i) : UniformInt(rng, bytes.size());
    SCOPED_TRACE(at);
    Files changed = files;
    changed["vernier.db-wal"][at] ^=
        static_cast<char>(1 + static_cast<int>(UniformInt(rng, 255)));
    const Opened opened = Open(changed);
    ASSERT_TRUE(IsLoss(opened)) << opened.status;
    ASSERT_THAT(opened.note->text,
                HasSubstr("the write-ahead log ends early: "));
    ASSERT_THAT(opened.violations, testing::Contains(opened.note->text));
  }
}

TEST_F(StoreDamageTest, TellsOfALogThatIsCutAndStarts) {
  const Files files = KilledFiles();
  const std::size_t size = files.at("vernier.db-wal").size();
  std::mt19937_64 rng = MakeRng(20, 4);
  for (int i = 0; i < 30; ++i) {
    const std::size_t length = i == 0 ? 0 : UniformInt(rng, size);
    SCOPED_TRACE(length);
    Files changed = files;
    changed["vernier.db-wal"].resize(length);
    const Opened opened = Open(changed);
    ASSERT_TRUE(opened.status.ok()) << opened.status;
    ASSERT_TRUE(IsLoss(opened));
  }
}

TEST_F(StoreDamageTest, TellsOfALogThatIsGone) {
  Files files = KilledFiles();
  files.erase("vernier.db-wal");
  const Opened opened = Open(files);
  EXPECT_TRUE(opened.status.ok()) << opened.status;
  EXPECT_TRUE(IsLoss(opened));
}

TEST_F(StoreDamageTest, TellsItOnce) {
  Files files = KilledFiles();
  files["vernier.db-wal"].resize(files["vernier.db-wal"].size() / 2);
  const TemporaryFolder folder;
  for (const auto& [name, bytes] : files) {
    WriteAll(folder.path() + "/" + name, bytes);
  }
  EXPECT_TRUE(
      SqliteStore::Open(folder.database()).value()->log_note().has_value());
  EXPECT_FALSE(
      SqliteStore::Open(folder.database()).value()->log_note().has_value());
}

// Without the mark only damage before the last transaction can be told.
TEST_F(StoreDamageTest, TellsOfDamageInTheMiddleOfALogWithoutAMark) {
  Files files = KilledFiles();
  files.erase("vernier.db-mark");
  files["vernier.db-wal"][files["vernier.db-wal"].size() / 2] ^= 1;
  EXPECT_TRUE(IsLoss(Open(files)));
}

// What a loss of power leaves of a write that nobody was told of.
TEST_F(StoreDamageTest, ATornEndIsNoLoss) {
  const TemporaryFolder folder;
  const auto store = SqliteStore::Open(folder.database()).value();
  Fill(*store);
  const std::string all = All(*store);
  const Files before = FilesOf(folder.path());
  ASSERT_TRUE(
      store
          ->Commit({UpdateLabels{StudyId{1}, {{"a", "b"}}, std::nullopt}},
                   At(40))
          .ok());
  const std::string longer = FilesOf(folder.path()).at("vernier.db-wal");
  const std::size_t old_size = before.at("vernier.db-wal").size();
  ASSERT_GT(longer.size(), old_size);
  for (const std::size_t size : {old_size + 10, longer.size() - 1}) {
    SCOPED_TRACE(size);
    Files torn = before;
    torn["vernier.db-wal"] = longer.substr(0, size);
    const Opened opened = Open(torn);
    EXPECT_TRUE(opened.status.ok()) << opened.status;
    EXPECT_EQ(opened.all, all);
    EXPECT_FALSE(opened.note.has_value()) << opened.note->text;
    // Nobody knows whether it was acknowledged.
    torn.erase("vernier.db-mark");
    const Opened unmarked = Open(torn);
    ASSERT_TRUE(unmarked.note.has_value());
    EXPECT_FALSE(unmarked.note->is_loss);
    EXPECT_THAT(unmarked.violations, testing::IsEmpty());
  }
}

// A mark that is older than the log: nothing was synced after it but the log.
TEST_F(StoreDamageTest, AnOldMarkIsNoLoss) {
  const TemporaryFolder folder;
  const auto store = SqliteStore::Open(folder.database()).value();
  Fill(*store);
  const std::string mark = FilesOf(folder.path()).at("vernier.db-mark");
  ASSERT_TRUE(
      store
          ->Commit({UpdateLabels{StudyId{1}, {{"a", "b"}}, std::nullopt}},
                   At(40))
          .ok());
  Files files = FilesOf(folder.path());
  files["vernier.db-mark"] = mark;
  const Opened opened = Open(files);
  EXPECT_EQ(opened.all, All(*store));
  EXPECT_FALSE(opened.note.has_value()) << opened.note->text;
}

// Pages in the log have their checksums, so that any program may move them.
TEST_F(StoreDamageTest, AnotherProgramMayMoveTheLogIntoTheDatabase) {
  const Files files = KilledFiles();
  const TemporaryFolder folder;
  for (const auto& [name, bytes] : files) {
    WriteAll(folder.path() + "/" + name, bytes);
  }
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(folder.database().c_str(), &handle), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(handle, "SELECT count(*) FROM trial", nullptr, nullptr,
                         nullptr),
            SQLITE_OK);
  sqlite3_close(handle);
  ASSERT_FALSE(std::filesystem::exists(folder.database() + "-wal"));
  const Opened opened = Open(FilesOf(folder.path()));
  EXPECT_TRUE(opened.status.ok()) << opened.status;
  EXPECT_EQ(opened.all, all_);
  EXPECT_FALSE(opened.note.has_value()) << opened.note->text;
  EXPECT_THAT(opened.violations, testing::IsEmpty());
}

// What another program writes has no checksum.
TEST_F(StoreDamageTest, RefusesWhatAnotherProgramWrote) {
  const TemporaryFolder folder;
  for (const auto& [name, bytes] : ClosedFiles()) {
    WriteAll(folder.path() + "/" + name, bytes);
  }
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(folder.database().c_str(), &handle), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(handle, "UPDATE study_counter SET last_study = 9",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(handle);
  EXPECT_EQ(ExitCodeFor(Open(FilesOf(folder.path())).status), 74);
}

// A page that changes in the log while the service runs is not moved.
TEST_F(StoreDamageTest, SeesAPageOfTheLogThatChangesWhileItRuns) {
  const TemporaryFolder folder;
  const std::string log = folder.database() + "-wal";
  {
    const auto database = SqliteDatabase::Open(folder.database(), {}).value();
    ASSERT_TRUE(ConfigureConnection(*database).ok());
    ASSERT_TRUE(database->Execute("CREATE TABLE t (x)").ok());
    ASSERT_TRUE(
        database->Execute("INSERT INTO t VALUES (zeroblob(9000))").ok());
    std::fstream file(log, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-300, std::ios::end);
    file.put('\x55');
    file.close();
    const absl::Status status = database->Checkpoint();
    EXPECT_TRUE(absl::IsDataLoss(status)) << status;
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("does not match its checksum"));
    database->LeaveUntouchedOnClose();
  }
}

// The mark matters only beside a log that is cut.
TEST_F(StoreDamageTest, AMarkWithAnyByteChangedIsNoLoss) {
  for (const Files& files : {ClosedFiles(), KilledFiles()}) {
    for (std::size_t at = 0; at < files.at("vernier.db-mark").size(); at += 3) {
      Files changed = files;
      changed["vernier.db-mark"][at] ^= 0x21;
      const Opened opened = Open(changed);
      ASSERT_TRUE(opened.status.ok()) << opened.status;
      ASSERT_EQ(opened.all, all_);
      ASSERT_FALSE(opened.note.has_value()) << opened.note->text;
    }
  }
}

TEST_F(StoreDamageTest, TokensAndQuotasHaveChecksumsToo) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/access.db";
  {
    const auto store = TokenStore::Open(path).value();
    ASSERT_TRUE(store->Secret(std::string(64, '1')).ok());
  }
  EXPECT_THAT(CheckPrivateDatabase(path, AccessSchema())->violations,
              testing::IsEmpty());
  std::string bytes = ReadAll(path);
  bytes[4096 + 8] ^= 1;
  WriteAll(path, bytes);
  const absl::Status refused = TokenStore::Open(path).status();
  EXPECT_EQ(ExitCodeFor(refused), 74);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("access.db"));
  EXPECT_THAT(CheckPrivateDatabase(path, AccessSchema())->violations,
              testing::Not(testing::IsEmpty()));
}

}  // namespace
}  // namespace vernier
