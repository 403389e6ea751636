#include "cluster/code/code_snapshot.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

class CodeSnapshotTest : public testing::Test {
 protected:
  CodeSnapshotTest() {
    WriteText(source_ / "train.py", "print(1)\n");
    WriteText(source_ / "pkg/model.py", "model\n");
  }
  absl::StatusOr<CodeSnapshotSize> Snapshot(
      const CodeSnapshotOptions& options = {}) {
    return SnapshotCode(source_.path(), to_, options);
  }

  const ScratchFolder source_;
  const ScratchFolder data_;
  const std::string to_ = data_ / "code/7";
};

TEST_F(CodeSnapshotTest, CopiesFilesFoldersModesAndLinks) {
  fs::permissions(source_ / "train.py", fs::perms::owner_all);
  fs::create_symlink("../train.py", source_ / "pkg/link.py");
  const auto size = Snapshot();
  ASSERT_TRUE(size.ok()) << size.status();
  EXPECT_EQ(size->files, 3);
  EXPECT_EQ(ReadText(to_ + "/train.py"), "print(1)\n");
  EXPECT_EQ(ReadText(to_ + "/pkg/link.py"), "print(1)\n");
  EXPECT_TRUE(fs::is_symlink(to_ + "/pkg/link.py"));
  EXPECT_EQ(fs::status(to_ + "/train.py").permissions(), fs::perms::owner_all);
}

TEST_F(CodeSnapshotTest, PassesOverCachesAndWhatIsNoFile) {
  WriteText(source_ / ".git/HEAD", "x");
  WriteText(source_ / "pkg/__pycache__/model.pyc", "x");
  ASSERT_EQ(::mkfifo((source_ / "pipe").c_str(), 0600), 0);
  const auto size = Snapshot();
  ASSERT_TRUE(size.ok()) << size.status();
  EXPECT_EQ(size->files, 2);
}

TEST_F(CodeSnapshotTest, LeavesOutWhatEarlierRunsLeft) {
  WriteText(source_ / "runs/events", "x");
  WriteText(source_ / "wandb/run-1/log", "x");
  fs::create_symlink("/elsewhere/core.log", source_ / "wandb/debug.log");
  // Elsewhere they may be code, and a file of such a name is.
  WriteText(source_ / "pkg/runs/code.py", "x");
  WriteText(source_ / "mlruns", "x");
  const auto size = Snapshot();
  ASSERT_TRUE(size.ok()) << size.status();
  EXPECT_EQ(size->files, 4);
  EXPECT_FALSE(fs::exists(to_ + "/wandb"));
  EXPECT_TRUE(fs::exists(to_ + "/pkg/runs/code.py"));
}

TEST_F(CodeSnapshotTest, LaterEditsChangeNothing) {
  ASSERT_TRUE(Snapshot().ok());
  WriteText(source_ / "train.py", "print(2)\n");
  const auto again = Snapshot();
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->files, 0);
  EXPECT_EQ(ReadText(to_ + "/train.py"), "print(1)\n");
}

TEST_F(CodeSnapshotTest, RefusesLinksThatLeadOut) {
  for (const char* target : {"/etc/passwd", "..", "../../x", "pkg/../../x"}) {
    fs::create_symlink(target, source_ / "link");
    const auto size = Snapshot();
    EXPECT_TRUE(absl::IsInvalidArgument(size.status())) << target;
    EXPECT_FALSE(fs::exists(to_));
    fs::remove(source_ / "link");
  }
}

TEST_F(CodeSnapshotTest, NamesTheLimitThatWasPassed) {
  CodeSnapshotOptions options;
  options.max_files = 1;
  EXPECT_TRUE(absl::IsInvalidArgument(Snapshot(options).status()));
  options.max_files = 2;
  options.max_bytes = 14;
  const auto size = Snapshot(options);
  EXPECT_TRUE(absl::IsInvalidArgument(size.status()));
  EXPECT_NE(std::string(size.status().message()).find("14 bytes"),
            std::string::npos);
  options.max_bytes = 15;
  EXPECT_TRUE(Snapshot(options).ok());
}

TEST_F(CodeSnapshotTest, FindsALimitBeforeAnyByteIsCopied) {
  const std::string large = source_ / "data/large.bin";
  WriteText(large, "");
  fs::resize_file(large, std::uintmax_t{1} << 40);  // Sparse: it takes no room.
  // Nobody could read it within a test's time.
  CodeSnapshotProgress progress;
  const auto size = SnapshotCode(source_.path(), to_, {}, &progress);
  EXPECT_TRUE(absl::IsInvalidArgument(size.status())) << size.status();
  EXPECT_EQ(progress.files, 0);
  EXPECT_FALSE(fs::exists(to_ + ".partial"));
}

TEST_F(CodeSnapshotTest, SaysWhereMostOfTheFilesAre) {
  for (int i = 0; i < 30; ++i) {
    WriteText(source_ / ("data/part" + std::to_string(i % 3) + "/" +
                         std::to_string(i) + ".bin"),
              "x");
  }
  CodeSnapshotOptions options;
  options.max_files = 20;
  const std::string message(Snapshot(options).status().message());
  EXPECT_NE(message.find("more than 20 files"), std::string::npos) << message;
  EXPECT_NE(message.find("most of them are in data/"), std::string::npos)
      << message;
}

TEST_F(CodeSnapshotTest, CopiesAllFilesOfManyFolders) {
  constexpr int kFolders = 12;
  constexpr int kFilesInEach = 5;
  for (int i = 0; i < kFolders * kFilesInEach; ++i) {
    const std::string folder = i % 2 == 0 ? "even/" : "odd/deeper/and/deeper/";
    WriteText(source_ / (folder + std::to_string(i % kFolders) + "/" +
                         std::to_string(i)),
              std::to_string(i));
  }
  CodeSnapshotProgress progress;
  const auto size = SnapshotCode(source_.path(), to_, {}, &progress);
  ASSERT_TRUE(size.ok()) << size.status();
  EXPECT_EQ(size->files, kFolders * kFilesInEach + 2);
  EXPECT_EQ(progress.files, size->files);
  EXPECT_EQ(progress.of_files, size->files);
  int wrong = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source_.path())) {
    if (!entry.is_regular_file()) continue;
    const std::string path = entry.path().lexically_relative(source_.path());
    wrong += ReadText(to_ + "/" + path) != ReadText(entry.path());
  }
  EXPECT_EQ(wrong, 0);
}

TEST_F(CodeSnapshotTest, CopiesLargeFilesToTheLastByte) {
  std::string large(300'001, 'x');
  large[200'000] = '\0';
  large.back() = 'y';
  WriteText(source_ / "weights.bin", large);
  ASSERT_TRUE(Snapshot().ok());
  EXPECT_EQ(ReadText(to_ + "/weights.bin"), large);
}

TEST_F(CodeSnapshotTest, StartsAfreshAfterAnInterruption) {
  WriteText(to_ + ".partial/half.py", "ha");
  ASSERT_TRUE(Snapshot().ok());
  EXPECT_FALSE(fs::exists(to_ + "/half.py"));
  EXPECT_FALSE(fs::exists(to_ + ".partial"));
}

TEST_F(CodeSnapshotTest, DoesNotCopyItself) {
  const auto inside =
      SnapshotCode(source_.path(), source_ / "copy", CodeSnapshotOptions());
  ASSERT_TRUE(inside.ok()) << inside.status();
  EXPECT_EQ(inside->files, 2);
  WriteText(source_ / "data/store.db", "x");
  CodeSnapshotOptions options;
  options.excluded_dir = source_ / "data";
  const auto deep =
      SnapshotCode(source_ / "", source_ / "data/code/1", options);
  ASSERT_TRUE(deep.ok()) << deep.status();
  EXPECT_FALSE(fs::exists(source_ / "data/code/1/data"));
}

TEST_F(CodeSnapshotTest, LeavesOutWhatTheJobWrites) {
  WriteText(source_ / "out/1/model", "x");
  CodeSnapshotOptions options;
  options.output_dir = source_ / "out";
  ASSERT_TRUE(SnapshotCode(source_.path(), to_, options).ok());
  EXPECT_TRUE(fs::exists(to_ + "/train.py"));
  EXPECT_FALSE(fs::exists(to_ + "/out"));
}

// Its links lead out, and its programs know where they lie.
TEST_F(CodeSnapshotTest, LeavesOutAVirtualEnvironmentOfAnyName) {
  WriteText(source_ / "mine/pyvenv.cfg", "home = /usr/bin\n");
  fs::create_symlink("/usr/bin/python3", (source_ / "mine") + "/python3");
  ASSERT_TRUE(Snapshot().ok());
  EXPECT_FALSE(fs::exists(to_ + "/mine"));
}

TEST_F(CodeSnapshotTest, NeedsAFolder) {
  EXPECT_TRUE(
      absl::IsNotFound(SnapshotCode(source_ / "train.py", to_).status()));
  EXPECT_TRUE(
      absl::IsNotFound(SnapshotCode(source_ / "missing", to_).status()));
}

}  // namespace
}  // namespace vernier
