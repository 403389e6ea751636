#include "cluster/code/trial_outputs.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

TEST(TrialOutputsTest, CountsWhatProgramsLeft) {
  const ScratchFolder run;
  EXPECT_EQ(CountOutputsBelow(run / "absent").files, 0);
  WriteText(run / "1/1/work/model.pt", "12345");
  WriteText(run / "1/2/work/runs/events", "123");
  WriteText(run / "2/1/work/.hidden", "1");
  const OutputCount count = CountOutputsBelow(run.path());
  EXPECT_EQ(count.files, 3);
  EXPECT_EQ(count.bytes, 9);
  EXPECT_FALSE(count.is_cut);
}

TEST(TrialOutputsTest, CountsNeitherCodeNorCachesNorLogs) {
  const ScratchFolder run;
  const ScratchFolder code;
  WriteText(code / "train.py", "x");
  fs::create_directories(run / "1/1/work");
  fs::create_symlink(code / "train.py", run / "1/1/work/train.py");
  fs::create_symlink(code.path(), run / "1/1/work/pkg");
  WriteText(run / "1/1/work/__pycache__/model.pyc", "x");
  WriteText(run / "1/1/logs/master-replica-0.log", "x");
  fs::create_directories(run / "2/1");
  fs::create_symlink(code.path(), run / "2/1/work");
  EXPECT_EQ(CountOutputsBelow(run.path()).files, 0);
}

TEST(TrialOutputsTest, StopsAtALimit) {
  const ScratchFolder run;
  for (int i = 0; i < 20; ++i) {
    WriteText(run / ("1/1/work/" + std::to_string(i)), "x");
  }
  const OutputCount count = CountOutputsBelow(run.path(), 10);
  EXPECT_TRUE(count.is_cut);
  EXPECT_LT(count.files, 20);
}

}  // namespace
}  // namespace vernier
