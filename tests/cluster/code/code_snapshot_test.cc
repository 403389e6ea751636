#include "cluster/code/code_snapshot.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "cluster/code/code_digest.h"
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
  absl::StatusOr<CodeSnapshot> Snapshot(
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

// An event file of an earlier run must not look as if a trial had written it.
TEST_F(CodeSnapshotTest, CopiesKeepTheTimeOfTheirLastChange) {
  const auto old =
      fs::last_write_time(source_ / "train.py") - std::chrono::hours(24);
  fs::last_write_time(source_ / "train.py", old);
  ASSERT_TRUE(Snapshot().ok());
  EXPECT_EQ(fs::last_write_time(to_ + "/train.py"), old);
}

TEST_F(CodeSnapshotTest, TellsWhatTrialsShare) {
  WriteText(source_ / "big.bin", "");
  fs::resize_file(source_ / "big.bin", 65 << 20);
  const auto made = Snapshot();
  ASSERT_TRUE(made.ok()) << made.status();
  ASSERT_EQ(made->notes.size(), 1u);
  EXPECT_EQ(made->notes[0],
            "big.bin (65.0 MiB) is shared by all trials, since the code is too "
            "large to be copied for each: what a trial writes there is seen by "
            "the others");
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

TEST_F(CodeSnapshotTest, LinksThatLeadOutStayLinksToTheSame) {
  const ScratchFolder elsewhere;
  WriteText(elsewhere / "train.csv", "rows");
  const std::string name = fs::path(elsewhere.path()).filename();
  fs::create_symlink(elsewhere.path(), source_ / "data");
  fs::create_symlink("../../" + name, source_ / "pkg/near");
  fs::create_symlink("pkg/../../nowhere", source_ / "dangling");
  fs::create_symlink("pkg/model.py", source_ / "inside");
  const auto copy = Snapshot();
  ASSERT_TRUE(copy.ok()) << copy.status();
  EXPECT_TRUE(fs::is_symlink(to_ + "/data"));
  EXPECT_EQ(ReadText(to_ + "/data/train.csv"), "rows");
  EXPECT_EQ(ReadText(to_ + "/pkg/near/train.csv"), "rows");
  EXPECT_TRUE(fs::is_symlink(to_ + "/dangling"));
  EXPECT_EQ(fs::read_symlink(to_ + "/inside"), "pkg/model.py");
  ASSERT_EQ(copy->notes.size(), 1u);
  const std::string& note = copy->notes[0];
  EXPECT_NE(note.find("data -> " + elsewhere.path()), std::string::npos)
      << note;
  EXPECT_NE(note.find("pkg/near -> /"), std::string::npos) << note;
  EXPECT_EQ(note.find("inside"), std::string::npos) << note;
}

TEST_F(CodeSnapshotTest, ALinkOutHasTheDigestOfItsCopy) {
  fs::create_symlink("../somewhere", source_ / "data");
  ASSERT_TRUE(Snapshot().ok());
  EXPECT_EQ(DigestCodeFolder(to_, {}).value(),
            DigestCodeFolder(source_.path(), {}).value());
}

TEST_F(CodeSnapshotTest, LeavesOutWhatVernierignoreNames) {
  WriteText(source_ / ".vernierignore", "data/\n*.ckpt\n!best.ckpt\n");
  WriteText(source_ / "pkg/.vernierignore", "/scratch\n");
  WriteText(source_ / "data/train.csv", "x");
  WriteText(source_ / "last.ckpt", "x");
  WriteText(source_ / "best.ckpt", "x");
  WriteText(source_ / "pkg/scratch/x", "x");
  WriteText(source_ / ".git/HEAD", "x");
  WriteText(source_ / "pkg/__pycache__/model.pyc", "x");
  const auto copy = Snapshot();
  ASSERT_TRUE(copy.ok()) << copy.status();
  for (const char* path :
       {"data", "last.ckpt", "pkg/scratch", ".git", "pkg/__pycache__"}) {
    EXPECT_FALSE(fs::exists(to_ + "/" + path)) << path;
  }
  EXPECT_TRUE(fs::exists(to_ + "/best.ckpt"));
  EXPECT_EQ(copy->notes,
            std::vector<std::string>{
                "not copied with the code: version control (.git/), caches "
                "(__pycache__/), what .vernierignore names (data/, last.ckpt, "
                "pkg/scratch/)"});
  EXPECT_EQ(DigestCodeFolder(to_, {}).value(),
            DigestCodeFolder(source_.path(), {}).value());
}

TEST_F(CodeSnapshotTest, KeepsNoSetUserIdBit) {
  ASSERT_EQ(::chmod((source_ / "train.py").c_str(), 06755), 0);
  ASSERT_TRUE(Snapshot().ok());
  struct stat info {};
  ASSERT_EQ(::stat((to_ + "/train.py").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0755u);
}

// Whoever may write to the folder may do this at any instant.
TEST_F(CodeSnapshotTest, DoesNotWaitForAFileThatBecomesAPipe) {
  ASSERT_EQ(::mkfifo((source_ / "pipe").c_str(), 0600), 0);
  WriteText(source_ / "file", "x");
  std::atomic<bool> is_over{false};
  std::thread other([&] {
    while (!is_over) {
      ::renameat2(AT_FDCWD, (source_ / "file").c_str(), AT_FDCWD,
                  (source_ / "pipe").c_str(), RENAME_EXCHANGE);
    }
  });
  for (int i = 0; i < 100; ++i) {
    const auto copy =
        SnapshotCode(source_.path(), to_ + std::to_string(i), {}, nullptr);
    EXPECT_TRUE(copy.ok()) << copy.status();
  }
  is_over = true;
  other.join();
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

TEST_F(CodeSnapshotTest, SaysWhichFoldersToNameInVernierignore) {
  for (int i = 0; i < 30; ++i) {
    WriteText(source_ / ("data/part" + std::to_string(i % 3) + "/" +
                         std::to_string(i) + ".bin"),
              "x");
  }
  CodeSnapshotOptions options;
  options.max_files = 20;
  const std::string message(Snapshot(options).status().message());
  EXPECT_NE(message.find("more than 20 files"), std::string::npos) << message;
  EXPECT_NE(message.find(source_ / ".vernierignore"), std::string::npos)
      << message;
  EXPECT_NE(message.find("\n# 30 files, 30 bytes\n/data/\n"), std::string::npos)
      << message;
  WriteText(source_ / ".vernierignore", "/data/\n");
  EXPECT_TRUE(Snapshot(options).ok());
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
  WriteText(source_ / "conda/conda-meta/history", "");
  const auto copy = Snapshot();
  ASSERT_TRUE(copy.ok());
  EXPECT_FALSE(fs::exists(to_ + "/mine"));
  EXPECT_FALSE(fs::exists(to_ + "/conda"));
  EXPECT_EQ(copy->notes, std::vector<std::string>{
                             "not copied with the code: virtual environments "
                             "(conda/, mine/)"});
}

TEST_F(CodeSnapshotTest, NeedsAFolder) {
  EXPECT_TRUE(
      absl::IsNotFound(SnapshotCode(source_ / "train.py", to_).status()));
  EXPECT_TRUE(
      absl::IsNotFound(SnapshotCode(source_ / "missing", to_).status()));
}

}  // namespace
}  // namespace vernier
