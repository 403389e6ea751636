#include "cluster/code/missing_code.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

TEST(MissingCodeTest, ReadsWhatProgramsMiss) {
  struct Case {
    const char* log;
    const char* missing;
  };
  const Case cases[] = {
      {"FileNotFoundError: [Errno 2] No such file or directory: 'data/a.csv'",
       "data/a.csv"},
      {"ModuleNotFoundError: No module named 'lib'", "lib.py"},
      {"ModuleNotFoundError: No module named 'lib.inner'", "lib/inner.py"},
      {"ModuleNotFoundError: No module named 'lib.inner'; 'lib' is no package",
       "lib.py"},
      {"python3: can't open file '/w/train.py': [Errno 2] No such file",
       "/w/train.py"},
      {"cat: data/x y: No such file or directory", "data/x y"},
      {"bash: line 1: ./run.sh: No such file or directory", "./run.sh"},
      {"ls: cannot access 'data': No such file or directory", nullptr},
      {"all went well", nullptr},
  };
  for (const auto& [log, missing] : cases) {
    const std::vector<std::string> found =
        MissingIn(std::string("epoch 1\n") + log + "\n");
    if (missing == nullptr) continue;
    EXPECT_NE(std::find(found.begin(), found.end(), missing), found.end())
        << log;
  }
  EXPECT_TRUE(MissingIn("all went well").empty());
}

class MissingCodeTextTest : public testing::Test {
 protected:
  MissingCodeTextTest() {
    WriteText(source_ / "train.py", "x");
    WriteText(source_ / "data/a.csv", "x");
    WriteText(source_ / "lib/inner/model.py", "x");
    WriteText(source_ / "wandb/config", "x");
    WriteText(source_ / ".vernierignore", "# large\n/data\ninner\n");
    WriteText(copy_ / "train.py", "x");
    fs::create_directories(copy_ / "lib");
  }
  std::string Text(const std::string& log) {
    return MissingCodeText(log, source_.path(), copy_.path(), "/work");
  }
  const ScratchFolder source_;
  const ScratchFolder copy_;
};

TEST_F(MissingCodeTextTest, NamesWhatWasLeftOutAndWhy) {
  const std::string csv = Text("No such file or directory: 'data/a.csv'");
  EXPECT_NE(csv.find("data/a.csv lies in " + source_.path()), std::string::npos)
      << csv;
  EXPECT_NE(csv.find("because of line 2 of .vernierignore"), std::string::npos)
      << csv;
  EXPECT_EQ(Text("No such file or directory: '/work/data/a.csv'"), csv);
  EXPECT_NE(Text("ModuleNotFoundError: No module named 'lib.inner'")
                .find("line 3 of .vernierignore"),
            std::string::npos);
  EXPECT_NE(Text("cat: wandb/config: No such file or directory")
                .find("outputs of earlier runs never are"),
            std::string::npos);
}

TEST_F(MissingCodeTextTest, SaysNothingOfWhatIsMissingOtherwise) {
  EXPECT_EQ(Text("No such file or directory: 'nowhere.csv'"), "");
  EXPECT_EQ(Text("No such file or directory: '../data/a.csv'"), "");
  EXPECT_EQ(Text("No such file or directory: '/etc/nothing'"), "");
  EXPECT_EQ(Text("No such file or directory: 'train.py'"), "");
  EXPECT_EQ(Text("No module named 'torch'"), "");
}

}  // namespace
}  // namespace vernier
