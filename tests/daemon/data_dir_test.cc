#include "daemon/data_dir.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/scratch_folder.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

class DataDirTest : public testing::Test {
 protected:
  static unsigned Mode(const std::string& path) {
    struct stat status {};
    EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
    return status.st_mode & 0777;
  }

  const ScratchFolder base_;
};

TEST_F(DataDirTest, ThePortOfHttpIsReadBack) {
  const DataDir dir = DataDirAt(base_ / "data");
  ASSERT_TRUE(PrepareDataDir(dir).ok());
  EXPECT_EQ(ReadHttpPort(dir), std::nullopt);
  ASSERT_TRUE(WriteHttpPort(dir, 8478).ok());
  EXPECT_EQ(ReadHttpPort(dir), 8478);
  std::ofstream(dir.HttpPortPath()) << std::string(100, '8');
  EXPECT_EQ(ReadHttpPort(dir), std::nullopt);
}

TEST_F(DataDirTest, IsMadeForThisUserAlone) {
  const DataDir dir = DataDirAt(base_ / "deep/er/data/");
  ASSERT_TRUE(PrepareDataDir(dir).ok());
  EXPECT_EQ(dir.root, base_ / "deep/er/data");
  for (const std::string& path :
       {dir.root, dir.RunRoot(), dir.CodeRoot(), dir.LogDir()}) {
    EXPECT_EQ(Mode(path), 0700u) << path;
  }
  EXPECT_TRUE(PrepareDataDir(dir).ok()) << "again";
}

TEST_F(DataDirTest, AnOldOneIsClosedToOthers) {
  const DataDir dir = DataDirAt(base_ / "data");
  ASSERT_TRUE(PrepareDataDir(dir).ok());
  std::ofstream(dir.DatabasePath()) << "x";
  fs::permissions(dir.root, fs::perms(0755));
  EXPECT_TRUE(PrepareDataDir(dir).ok());
  EXPECT_EQ(Mode(dir.root), 0700u);
}

TEST_F(DataDirTest, SomebodysOpenFolderIsNotLockedUp) {
  fs::permissions(base_.path(), fs::perms(0755));
  std::ofstream(base_ / "thesis.tex") << "x";
  const absl::Status status = PrepareDataDir(DataDirAt(base_.path()));
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_EQ(Mode(base_.path()), 0755u);
}

TEST_F(DataDirTest, AFileIsNoFolder) {
  std::ofstream(base_ / "file") << "x";
  EXPECT_EQ(PrepareDataDir(DataDirAt(base_ / "file")).code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(DataDirTest, OfAFolderThatCannotBeMadeTheReasonIsGiven) {
  // What the parent's making ends with, and not that there is no parent.
  fs::create_symlink("/nowhere/at/all", base_ / "link");
  const DataDir dir = DataDirAt(base_ / "link/vernier");
  const std::string message(PrepareDataDir(dir).message());
  EXPECT_EQ(message.find("data directory: cannot make " + dir.root + ": "), 0u);
  EXPECT_EQ(message.find("No such file"), std::string::npos) << message;
}

TEST_F(DataDirTest, OfAFolderThatMayNotBeMadeItSaysWhatToDo) {
  // The kernel lets nobody make a folder here, not even root.
  const std::string message(PrepareDataDir(DataDirAt("/sys/v")).message());
  EXPECT_NE(message.find("; give --data-dir, or set VERNIER_HOME"),
            std::string::npos)
      << message;
}

TEST_F(DataDirTest, AnotherUsersFolderIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make such a folder";
  const DataDir dir = DataDirAt(base_ / "data");
  ASSERT_TRUE(PrepareDataDir(dir).ok());
  ASSERT_EQ(chown(dir.root.c_str(), 12345, 12345), 0);
  const absl::Status status = PrepareDataDir(dir);
  EXPECT_EQ(status.code(), absl::StatusCode::kPermissionDenied);
  EXPECT_NE(status.message().find("belongs to user 12345"), std::string::npos);
}

TEST_F(DataDirTest, TheDefaultFollowsTheEnvironment) {
  ::setenv("VERNIER_HOME", "/a", 1);
  ::setenv("XDG_DATA_HOME", "/b", 1);
  EXPECT_EQ(*DefaultDataDir(), "/a");
  ::unsetenv("VERNIER_HOME");
  EXPECT_EQ(*DefaultDataDir(), "/b/vernier");
  ::unsetenv("XDG_DATA_HOME");
  const char* home = ::getenv("HOME");
  const std::string saved = home == nullptr ? "" : home;
  ::setenv("HOME", "/c", 1);
  EXPECT_EQ(*DefaultDataDir(), "/c/.local/share/vernier");
  ::unsetenv("HOME");
  EXPECT_EQ(DefaultDataDir().status().code(),
            absl::StatusCode::kFailedPrecondition);
  if (!saved.empty()) ::setenv("HOME", saved.c_str(), 1);
}

// A service that began anew would remove the jobs' code.
TEST_F(DataDirTest, JobsWithoutADatabaseAreALoss) {
  const DataDir dir = DataDirAt(base_ / "data");
  ASSERT_TRUE(PrepareDataDir(dir).ok());
  EXPECT_TRUE(CheckDatabaseIsThere(dir).ok()) << "a new one";
  fs::create_directories(dir.CodeRoot() + "/job-1");
  const absl::Status gone = CheckDatabaseIsThere(dir);
  EXPECT_TRUE(absl::IsDataLoss(gone)) << gone;
  EXPECT_NE(gone.message().find("vernier.db is gone"), std::string::npos);
  std::ofstream(dir.DatabasePath()).close();
  EXPECT_TRUE(absl::IsDataLoss(CheckDatabaseIsThere(dir))) << "empty";
  std::ofstream(dir.DatabasePath()) << "SQLite format 3";
  EXPECT_TRUE(CheckDatabaseIsThere(dir).ok());
}

}  // namespace
}  // namespace vernier
