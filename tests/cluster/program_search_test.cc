#include "cluster/program_search.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

class FindProgramTest : public testing::Test {
 protected:
  FindProgramTest() {
    for (const char* name : {"bin/tool", "sub/tool"}) {
      WriteText(dir_ / name, "#!/bin/sh\n");
      std::filesystem::permissions(dir_ / name,
                                   std::filesystem::perms::owner_all);
    }
    WriteText(dir_ / "bin/data", "");
    std::filesystem::permissions(dir_ / "bin/data",
                                 std::filesystem::perms::owner_read);
  }
  absl::StatusOr<std::string> Find(const std::string& program,
                                   const std::string& path) {
    return FindProgram(program, path, dir_.path());
  }
  const ScratchFolder dir_;
};

TEST_F(FindProgramTest, LooksInPathOrBelowTheWorkingDirectory) {
  EXPECT_EQ(*Find("tool", "/nowhere:" + (dir_ / "bin")), dir_ / "bin/tool");
  EXPECT_EQ(*Find("tool", "sub"), dir_ / "sub/tool");
  EXPECT_EQ(*Find("sub/tool", ""), dir_ / "sub/tool");
  EXPECT_EQ(*Find(dir_ / "bin/tool", ""), dir_ / "bin/tool");
}

TEST_F(FindProgramTest, SaysWhyThereIsNone) {
  EXPECT_TRUE(absl::IsNotFound(Find("other", dir_ / "bin").status()));
  EXPECT_TRUE(absl::IsNotFound(Find("./other", "").status()));
  EXPECT_TRUE(absl::IsPermissionDenied(Find("data", dir_ / "bin").status()));
  EXPECT_TRUE(absl::IsPermissionDenied(Find("bin/data", "").status()));
  EXPECT_FALSE(Find("./bin", "").ok());
  EXPECT_FALSE(Find("", "/bin").ok());
  const absl::Status missing = Find("other", "/a:/b").status();
  EXPECT_NE(std::string(missing.message()).find("\"other\" in PATH=/a:/b"),
            std::string::npos);
}

}  // namespace
}  // namespace vernier
