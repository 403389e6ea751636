#include "cli/background/service_unit.h"

#include <gtest/gtest.h>

#include "cli/background/own_program.h"

namespace vernier {
namespace {

TEST(ServiceUnitTest, QuotesWhatSystemdWouldRead) {
  const std::string unit = ServiceUnit(
      "/opt/my tools/vernier",
      {"serve", "--bucket", "a=/x y", "--gpus", "100%$\"\\"}, "/home/me/50%");
  EXPECT_NE(unit.find("\nExecStart=\"/opt/my tools/vernier\" \"serve\" "
                      "\"--bucket\" \"a=/x y\" \"--gpus\" "
                      "\"100%%$$\\\"\\\\\"\n"),
            std::string::npos)
      << unit;
  EXPECT_NE(unit.find("\nWorkingDirectory=/home/me/50%%\n"), std::string::npos);
}

TEST(ServiceUnitTest, LetsTrialsOutliveTheService) {
  const std::string unit = ServiceUnit("/bin/vernier", {"serve"}, "/");
  for (const char* line : {"\nRestart=on-failure\n", "\nKillMode=process\n",
                           "\nOOMPolicy=continue\n"}) {
    EXPECT_NE(unit.find(line), std::string::npos) << line;
  }
}

TEST(OwnProgramTest, LeavesOutAFlag) {
  const std::vector<std::string> words = {"serve",       "--detach",   "--a",
                                          "--detach",    "--ready-fd", "3",
                                          "--ready-fd=4"};
  EXPECT_EQ(WithoutFlag(words, "--detach", false),
            (std::vector<std::string>{"serve", "--a", "--ready-fd", "3",
                                      "--ready-fd=4"}));
  EXPECT_EQ(WithoutFlag(words, "--ready-fd", true),
            (std::vector<std::string>{"serve", "--detach", "--a", "--detach"}));
  EXPECT_EQ(WithoutFlag({"--ready-fd"}, "--ready-fd", true),
            std::vector<std::string>{});
}

TEST(OwnProgramTest, KnowsThisProgram) {
  EXPECT_EQ(OwnProgram().front(), '/');
  EXPECT_NE(OwnProgram().find("test"), std::string::npos);
}

}  // namespace
}  // namespace vernier
