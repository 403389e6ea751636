#include "cluster/code/trial_outputs.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

TEST(TrialOutputsTest, CountsWhatProgramsLeft) {
  const ScratchFolder run;
  EXPECT_EQ(CountOutputsBelow(run / "absent", CodeTwins()).files, 0);
  WriteText(run / "1/1/work/model.pt", "12345");
  WriteText(run / "1/2/work/runs/events", "123");
  WriteText(run / "2/1/work/.hidden", "1");
  const OutputCount count = CountOutputsBelow(run.path(), CodeTwins());
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
  EXPECT_EQ(CountOutputsBelow(run.path(), CodeTwins({code.path()})).files, 0);
}

TEST(TrialOutputsTest, ACopyOfTheCodeIsNoOutputUntilItIsChanged) {
  const ScratchFolder run;
  const ScratchFolder code;
  for (const char* name : {"train.py", "pkg/a.py", "pkg/b.py", "pkg/c.py"}) {
    WriteText(code / name, "code");
    WriteText(run / (std::string("1/1/work/") + name), "code");
    fs::last_write_time(run / (std::string("1/1/work/") + name),
                        fs::last_write_time(code / name));
  }
  const CodeTwins twins({"/absent", code.path()});
  EXPECT_EQ(CountOutputsBelow(run.path(), twins).files, 0);
  EXPECT_EQ(CountOutputsIn(run / "1/1/work", "pkg", twins, 10).files, 0);
  const std::string changed = run / "1/1/work/pkg/a.py";
  const auto time = fs::last_write_time(changed);
  WriteText(changed, "longer");
  fs::last_write_time(changed, time);
  fs::last_write_time(run / "1/1/work/pkg/b.py",
                      time + std::chrono::nanoseconds(1));
  WriteText(run / "1/1/work/pkg/new.pt", "x");
  EXPECT_EQ(CountOutputsBelow(run.path(), twins).files, 3);
  EXPECT_EQ(CountOutputsIn(run / "1/1/work", "pkg", twins, 10).bytes, 11);
}

TEST(TrialOutputsTest, StopsAtALimit) {
  const ScratchFolder run;
  for (int i = 0; i < 20; ++i) {
    WriteText(run / ("1/1/work/" + std::to_string(i)), "x");
  }
  const OutputCount count = CountOutputsBelow(run.path(), CodeTwins(), 10);
  EXPECT_TRUE(count.is_cut);
  EXPECT_LT(count.files, 20);
}

}  // namespace
}  // namespace vernier
