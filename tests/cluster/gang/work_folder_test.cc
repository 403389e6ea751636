#include "cluster/gang/work_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

class WorkFolderTest : public testing::Test {
 protected:
  WorkFolderTest() {
    fs::create_directories(code_ / "trainer");
    WriteText(code_ / "task.py", "task");
    WriteText(code_ / "trainer/model.py", "model");
  }

  const ScratchFolder code_;
  const ScratchFolder run_;
  const std::string work_ = run_ / "1/work";
  const std::string other_ = run_ / "2/work";
};

TEST_F(WorkFolderTest, ShowsTheCodeAndKeepsWhatIsWritten) {
  fs::create_directories(run_ / "1");
  fs::create_directories(run_ / "2");
  ASSERT_TRUE(MakeWorkFolder(work_, code_.path()).ok());
  ASSERT_TRUE(MakeWorkFolder(other_, code_.path()).ok());
  EXPECT_EQ(ReadText(work_ + "/task.py"), "task");
  EXPECT_EQ(ReadText(work_ + "/trainer/model.py"), "model");
  WriteText(work_ + "/model.pt", "one");
  WriteText(other_ + "/model.pt", "two");
  EXPECT_EQ(ReadText(work_ + "/model.pt"), "one");
  EXPECT_FALSE(fs::exists(code_ / "model.pt"));
}

TEST_F(WorkFolderTest, LeavesOutWhatEarlierRunsLeftBehind) {
  fs::create_directories(code_ / "runs/old");
  WriteText(code_ / "wandb", "a file of that name is code");
  ASSERT_TRUE(MakeWorkFolder(work_, code_.path()).ok());
  EXPECT_FALSE(fs::exists(work_ + "/runs"));
  EXPECT_TRUE(fs::exists(work_ + "/wandb"));
}

TEST_F(WorkFolderTest, MayBeMadeAgain) {
  ASSERT_TRUE(MakeWorkFolder(work_, code_.path()).ok());
  WriteText(work_ + "/model.pt", "one");
  ASSERT_TRUE(MakeWorkFolder(work_, code_.path()).ok());
  EXPECT_EQ(ReadText(work_ + "/model.pt"), "one");
}

TEST_F(WorkFolderTest, WithoutCodeIsEmpty) {
  ASSERT_TRUE(MakeWorkFolder(work_, "").ok());
  EXPECT_TRUE(fs::is_empty(work_));
}

// A trial that finds another's checkpoint would go on from it.
TEST_F(WorkFolderTest, WhatTheCodeHasIsEachAttemptsOwn) {
  WriteText(code_ / "checkpoints/.gitkeep", "");
  WriteText(code_ / "model.pt", "by hand");
  ASSERT_TRUE(MakeWorkFolder(work_, code_.path()).ok());
  ASSERT_TRUE(MakeWorkFolder(other_, code_.path()).ok());
  WriteText(work_ + "/checkpoints/last.ckpt", "one");
  WriteText(work_ + "/model.pt", "one");
  WriteText(work_ + "/trainer/model.py", "one");
  for (const std::string& folder : {other_, code_.path()}) {
    EXPECT_FALSE(fs::exists(folder + "/checkpoints/last.ckpt")) << folder;
    EXPECT_EQ(ReadText(folder + "/model.pt"), "by hand") << folder;
    EXPECT_EQ(ReadText(folder + "/trainer/model.py"), "model") << folder;
  }
}

TEST_F(WorkFolderTest, CopiesKeepRightsAndTimesAndLinksStay) {
  fs::permissions(code_ / "task.py", fs::perms::owner_all);
  fs::create_symlink("/mnt/data", code_ / "data");
  fs::create_symlink("../task.py", code_ / "trainer/task.py");
  ASSERT_TRUE(MakeWorkFolder(work_, code_.path()).ok());
  EXPECT_EQ(fs::status(work_ + "/task.py").permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::last_write_time(work_ + "/task.py"),
            fs::last_write_time(code_ / "task.py"));
  EXPECT_EQ(fs::read_symlink(work_ + "/data"), "/mnt/data");
  EXPECT_EQ(fs::read_symlink(work_ + "/trainer/task.py"), "../task.py");
  EXPECT_EQ(fs::canonical(work_ + "/trainer/task.py"),
            fs::canonical(work_ + "/task.py"));
}

TEST_F(WorkFolderTest, AThousandFilesAreEachAttemptsOwn) {
  for (int i = 0; i < 1010; ++i) {
    WriteText(code_ / ("image-" + std::to_string(i)), "");
  }
  ASSERT_TRUE(MakeWorkFolder(work_, code_.path()).ok());
  EXPECT_FALSE(fs::is_symlink(work_));
  EXPECT_FALSE(fs::is_symlink(work_ + "/image-7"));
}

TEST_F(WorkFolderTest, WhatIsTooLargeIsShared) {
  WriteText(code_ / "data/labels.csv", "1");
  WriteText(code_ / "data/images.bin", "");
  fs::resize_file(code_ / "data/images.bin", std::uintmax_t{65} << 20);
  ASSERT_TRUE(MakeWorkFolder(work_, code_.path()).ok());
  EXPECT_EQ(fs::read_symlink(work_ + "/data/images.bin"),
            code_ / "data/images.bin");
  EXPECT_FALSE(fs::is_symlink(work_ + "/data"));
  EXPECT_FALSE(fs::is_symlink(work_ + "/data/labels.csv"));
}

// What a killed process left of it is no working directory.
TEST_F(WorkFolderTest, AppearsWholeAfterAnInterruption) {
  WriteText(work_ + ".partial/task.py", "ta");
  ASSERT_TRUE(MakeWorkFolder(work_, code_.path()).ok());
  EXPECT_EQ(ReadText(work_ + "/task.py"), "task");
  EXPECT_FALSE(fs::exists(work_ + ".partial"));
}

TEST_F(WorkFolderTest, AfterTheEndOnlyWhatTheProgramWroteIsKept) {
  WriteText(code_ / "checkpoints/.gitkeep", "");
  WriteText(code_ / "config.json", "{}");
  fs::create_symlink("/mnt/data", code_ / "data");
  WriteText(code_ / "large.bin", "");
  fs::resize_file(code_ / "large.bin", std::uintmax_t{65} << 20);
  ASSERT_TRUE(MakeWorkFolder(work_, code_.path()).ok());
  WriteText(work_ + "/checkpoints/last.ckpt", "one");
  WriteText(work_ + "/config.json", "[]");
  fs::create_directory(work_ + "/empty");
  fs::create_symlink("checkpoints/last.ckpt", work_ + "/latest");
  TidyWorkFolder(work_, code_.path());
  std::vector<std::string> left;
  for (const auto& entry : fs::recursive_directory_iterator(work_)) {
    left.push_back(entry.path().lexically_relative(work_));
  }
  EXPECT_THAT(left, testing::UnorderedElementsAre(
                        "checkpoints", "checkpoints/last.ckpt", "config.json",
                        "empty", "latest"));
  EXPECT_EQ(ReadText(code_ / "task.py"), "task");
}

TEST_F(WorkFolderTest, WhatWasTidiedIsPutBackAroundTheOutputs) {
  ASSERT_TRUE(MakeWorkFolder(work_, code_.path()).ok());
  WriteText(work_ + "/task.py", "changed");
  fs::remove_all(work_ + "/trainer");
  fs::create_directory_symlink(run_.path(), work_ + "/trainer");
  WriteText(code_ / "pkg/a.py", "a");
  TidyWorkFolder(work_, code_.path());
  ASSERT_TRUE(RestoreWorkFolder(work_, code_.path()).ok());
  EXPECT_EQ(ReadText(work_ + "/task.py"), "changed");
  EXPECT_EQ(ReadText(work_ + "/pkg/a.py"), "a");
  // Nothing is written through a link of the program's.
  EXPECT_FALSE(fs::exists(run_ / "model.py"));
}

TEST_F(WorkFolderTest, IsOpenedToUsersOfImagesWithoutFollowingLinks) {
  WriteText(run_ / "elsewhere", "x");
  fs::permissions(run_ / "elsewhere", fs::perms::owner_read);
  fs::permissions(code_ / "task.py", fs::perms::owner_all);
  fs::create_symlink(run_ / "elsewhere", code_ / "link");
  ASSERT_TRUE(MakeWorkFolder(work_, code_.path()).ok());
  ASSERT_TRUE(OpenWorkFolderToAll(work_).ok());
  EXPECT_EQ(fs::status(work_ + "/trainer").permissions(), fs::perms::all);
  EXPECT_EQ(fs::status(work_ + "/task.py").permissions(), fs::perms::all);
  EXPECT_EQ(fs::status(work_ + "/trainer/model.py").permissions(),
            static_cast<fs::perms>(0666));
  EXPECT_EQ(fs::status(run_ / "elsewhere").permissions(),
            fs::perms::owner_read);
}

TEST_F(WorkFolderTest, CodeThatIsGoneIsAnError) {
  const absl::Status status = MakeWorkFolder(work_, code_ / "gone");
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << status;
}

}  // namespace
}  // namespace vernier
