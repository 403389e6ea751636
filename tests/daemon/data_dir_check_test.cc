#include "daemon/data_dir_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "daemon/databases.h"
#include "store/access/quota_store.h"
#include "store/access/token_store.h"
#include "store/sqlite/sqlite_store.h"
#include "tests/store/job_fixture.h"
#include "tests/support/scratch_folder.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::map<std::string, std::string> AllFiles(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    std::ostringstream bytes;
    if (entry.is_regular_file()) {
      bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    }
    files[entry.path()] = bytes.str();
  }
  return files;
}

// A data directory that a service left: a job with pinned code, one attempt
// that ended and one that runs.
class DataDirCheckTest : public testing::Test {
 protected:
  DataDirCheckTest() {
    NewJob job = MakeJob({.max_trials = 3});
    job.code_dir = data_dir_.CodeRoot() + "/census-1";
    job.run_root = data_dir_.RunRoot();
    store_ = SqliteStore::Open(data_dir_.DatabasePath()).value();
    EXPECT_TRUE(store_->CreateJob(job, At(1)).ok());
    const AttemptKey ended{StudyId{1}, TrialId{1}, 1};
    const AttemptKey runs{StudyId{1}, TrialId{2}, 1};
    EXPECT_TRUE(
        store_
            ->Commit({CreateTrials{StudyId{1}, {MakeTrial(0.5), MakeTrial(1)}},
                      Launch(ended), Exit(ended),
                      Complete(StudyId{1}, TrialId{1}, 2), Launch(runs),
                      ObserveAttempt{runs, AttemptEvent::kRun}},
                     At(2))
            .ok());
    EXPECT_TRUE(TokenStore::Open(data_dir_.AccessPath()).ok());
    EXPECT_TRUE(QuotaStore::Open(data_dir_.QuotaPath()).ok());
    fs::create_directories(data_dir_.CodeRoot() + "/census-1");
    fs::create_directories(data_dir_.RunRoot() + "/1/1/1");
    fs::create_directories(data_dir_.RunRoot() + "/1/2/1");
    store_.reset();
  }

  DataDirReport Check() { return CheckDataDir(data_dir_).value(); }

  const ScratchFolder folder_{ScratchFolder::Place::kMemory};
  const DataDir data_dir_ = DataDirAt(folder_.path());
  std::unique_ptr<SqliteStore> store_;
};

TEST_F(DataDirCheckTest, CountsWhatItLookedAtAndChangesNothing) {
  const auto before = AllFiles(folder_.path());
  const DataDirReport report = Check();
  EXPECT_THAT(report.faults, testing::IsEmpty());
  EXPECT_THAT(report.notes, testing::IsEmpty());
  ASSERT_EQ(report.databases.size(), 3u);
  for (const DatabaseReport& database : report.databases) {
    EXPECT_GT(database.pages.matched, 0) << database.path;
    // A migration leaves pages that hold nothing.
    EXPECT_EQ(database.pages.matched + database.pages.unused,
              database.pages.pages)
        << database.path;
  }
  EXPECT_THAT(report.databases[0].rows,
              testing::Contains(testing::Pair("trial", 2)));
  EXPECT_EQ(report.pinned_code, 1);
  EXPECT_EQ(report.attempts, 2);
  EXPECT_EQ(AllFiles(folder_.path()), before);
}

// Without them the service would run without limits, and its tokens be gone.
TEST_F(DataDirCheckTest, NamesADatabaseThatIsGone) {
  fs::remove(data_dir_.QuotaPath());
  EXPECT_THAT(Check().faults, testing::ElementsAre(testing::AllOf(
                                  HasSubstr("quotas.db is gone"),
                                  HasSubstr("no project has a limit"))));
  std::ofstream(data_dir_.AccessPath(), std::ios::trunc).close();
  EXPECT_THAT(Check().faults,
              testing::ElementsAre(HasSubstr("access.db is gone"),
                                   HasSubstr("quotas.db is gone")));
}

TEST_F(DataDirCheckTest, AServiceThatStartsTellsOfThemOnce) {
  fs::remove(data_dir_.QuotaPath());
  fs::remove(data_dir_.AccessPath());
  const auto open = [this] {
    std::vector<std::string> told;
    EXPECT_TRUE(OpenDatabases(data_dir_, [&told](const LogNote& note) {
                  told.push_back(note.text);
                }).ok());
    return told;
  };
  EXPECT_THAT(open(), testing::ElementsAre(HasSubstr("access.db is gone"),
                                           HasSubstr("quotas.db is gone")));
  EXPECT_THAT(open(), testing::IsEmpty());
}

// Tokens and limits are there before the first job.
TEST_F(DataDirCheckTest, WhatIsGoneIsNamedBeforeThereIsAJob) {
  const ScratchFolder other;
  const DataDir fresh = DataDirAt(other.path());
  std::vector<std::string> told;
  const auto open = [&] {
    told.clear();
    return OpenDatabases(
               fresh,
               [&told](const LogNote& note) { told.push_back(note.text); })
        .status();
  };
  ASSERT_TRUE(open().ok());
  EXPECT_THAT(told, testing::IsEmpty());
  fs::remove(fresh.QuotaPath());
  EXPECT_THAT(CheckDataDir(fresh).value().faults,
              testing::ElementsAre(HasSubstr("quotas.db is gone")));
  ASSERT_TRUE(open().ok());
  EXPECT_THAT(told, testing::ElementsAre(HasSubstr("quotas.db is gone")));
}

TEST_F(DataDirCheckTest, ANewDataDirectoryMissesNothing) {
  const ScratchFolder other;
  std::vector<std::string> told;
  EXPECT_TRUE(OpenDatabases(DataDirAt(other.path()), [&](const LogNote& note) {
                told.push_back(note.text);
              }).ok());
  EXPECT_THAT(told, testing::IsEmpty());
}

// A copy of the database alone, taken while a service runs, lacks what the log
// has.
TEST_F(DataDirCheckTest, ACopyWithoutItsLogIsNotWhole) {
  store_ = SqliteStore::Open(data_dir_.DatabasePath()).value();
  const ScratchFolder copy;
  for (const char* name : {"vernier.db", "access.db", "access.db-mark",
                           "quotas.db", "quotas.db-mark"}) {
    fs::copy_file(folder_ / name, copy / name);
  }
  for (const char* name : {"runs", "code"}) {
    fs::copy(folder_ / name, copy / name, fs::copy_options::recursive);
  }
  const auto check = [&copy] {
    return CheckDataDir(DataDirAt(copy.path())).value().faults;
  };
  EXPECT_THAT(check(), testing::ElementsAre(testing::AllOf(
                           HasSubstr("vernier.db came without its log"),
                           HasSubstr("vernier.db-mark"))));
  // A copy of what a service left when it stopped.
  store_.reset();
  for (const char* name : {"vernier.db", "vernier.db-mark"}) {
    fs::copy_file(folder_ / name, copy / name,
                  fs::copy_options::overwrite_existing);
  }
  EXPECT_THAT(check(), testing::IsEmpty());
}

TEST_F(DataDirCheckTest, IsRefusedWhileAServiceRuns) {
  store_ = SqliteStore::Open(data_dir_.DatabasePath()).value();
  EXPECT_TRUE(absl::IsAborted(CheckDataDir(data_dir_).status()));
}

TEST_F(DataDirCheckTest, NamesWhatIsNoDataDirectory) {
  EXPECT_TRUE(
      absl::IsNotFound(CheckDataDir(DataDirAt(folder_ / "none")).status()));
  EXPECT_TRUE(
      absl::IsNotFound(CheckDataDir(DataDirAt(data_dir_.RunRoot())).status()));
}

TEST_F(DataDirCheckTest, NamesADatabaseThatIsDamaged) {
  for (const std::string& path :
       {data_dir_.DatabasePath(), data_dir_.AccessPath(),
        data_dir_.QuotaPath()}) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(4096 + 1000);
    file.put('\x7f');
    file.close();
    EXPECT_THAT(Check().faults,
                testing::Contains(HasSubstr(path + ": page 2 (bytes 4096")));
  }
}

// What the database forgot of is told by what lies beside it.
TEST_F(DataDirCheckTest, NamesFoldersThatTheDatabaseDoesNotKnow) {
  fs::create_directories(data_dir_.RunRoot() + "/1/3/1");
  fs::create_directories(data_dir_.RunRoot() + "/1/2/2");
  fs::create_directories(data_dir_.RunRoot() + "/2/1/1");
  const DataDirReport report = Check();
  EXPECT_THAT(report.faults,
              testing::UnorderedElementsAre(
                  HasSubstr("/runs/1/2/2: the folder of an attempt"),
                  HasSubstr("/runs/1/3/1: the folder of an attempt"),
                  HasSubstr("/runs/2: the folder of a job")));
}

TEST_F(DataDirCheckTest, NamesFoldersThatAreGone) {
  fs::remove_all(data_dir_.CodeRoot());
  fs::remove_all(data_dir_.RunRoot() + "/1");
  const DataDirReport report = Check();
  EXPECT_THAT(report.faults, testing::UnorderedElementsAre(
                                 HasSubstr("its pinned code is missing"),
                                 HasSubstr("it runs, and its folder is")));
  // A user may remove logs.
  EXPECT_EQ(report.attempts_gone, 1);
}

TEST_F(DataDirCheckTest, NamesPackagesThatAreGone) {
  const std::string packages = data_dir_.RunRoot() + "/1/packages";
  fs::create_directories(packages + "/environment");
  std::ofstream(packages + "/installed") << "python3\n";
  EXPECT_THAT(Check().faults,
              testing::ElementsAre(HasSubstr("packages that were installed")));
  std::ofstream(packages + "/environment/pyvenv.cfg") << "home = /usr\n";
  EXPECT_THAT(Check().faults, testing::IsEmpty());
  EXPECT_EQ(Check().packages, 1);
}

TEST_F(DataDirCheckTest, FollowsADataDirectoryThatWasMoved) {
  const ScratchFolder other;
  fs::copy(folder_.path(), other / "moved", fs::copy_options::recursive);
  fs::remove_all(folder_ / "runs");
  fs::remove_all(folder_ / "code");
  const auto report = CheckDataDir(DataDirAt(other / "moved"));
  EXPECT_THAT(report->faults, testing::IsEmpty());
  EXPECT_EQ(report->pinned_code, 1);
}

}  // namespace
}  // namespace vernier
