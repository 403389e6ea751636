#include "cluster/local/work_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

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

TEST_F(WorkFolderTest, DoesNotLinkThousandsOfEntries) {
  for (std::size_t i = 0; i < kMaxCodeLinks; ++i) {
    WriteText(code_ / ("image-" + std::to_string(i)), "");
  }
  fs::create_directories(run_ / "1");
  ASSERT_TRUE(MakeWorkFolder(work_, code_.path()).ok());
  EXPECT_TRUE(fs::is_symlink(work_));
  EXPECT_EQ(ReadText(work_ + "/task.py"), "task");
}

TEST_F(WorkFolderTest, CodeThatIsGoneIsAnError) {
  const absl::Status status = MakeWorkFolder(work_, code_ / "gone");
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << status;
}

}  // namespace
}  // namespace vernier
