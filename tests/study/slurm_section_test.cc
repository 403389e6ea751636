#include "study/job_file/slurm_section.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace vernier {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string Check(const std::string& word) {
  return CheckSlurmArguments({word});
}

TEST(SlurmArgumentsTest, TakesOptionsOfTheListByTheirWholeNames) {
  for (const char* word :
       {"--mail-type=END", "--begin=now+1hour", "--exclude=n[7-9]",
        "--exclusive", "--exclusive=user", "--contiguous", "--gres=disk:1"}) {
    EXPECT_THAT(Check(word), IsEmpty()) << word;
  }
}

TEST(SlurmArgumentsTest, RefusesWhatSbatchWouldTakeForAnotherOption) {
  for (const char* word : {"--jo=x",
                           "--job-name=x",
                           "--ar=1-50",
                           "--array=1-50",
                           "-J",
                           "-Jx",
                           "-OJx",
                           "-a1-50",
                           "--req",
                           "--hol",
                           "--mail-typ=END",
                           "--o=/etc/x",
                           "--cl=other",
                           "-Mother",
                           "--clusters=other",
                           "--wrap=id",
                           "--nodes=9",
                           "--ntasks-per-node=9",
                           "--export=ALL",
                           "--export-file=/etc/shadow",
                           "--nodefile=/etc/shadow",
                           "--bbf=/etc/shadow",
                           "--uid=0",
                           "--gid=0",
                           "--get-user-env",
                           "--container=/x",
                           "--help",
                           "--MAIL-TYPE=END",
                           "--mail_type=END",
                           "--",
                           "-",
                           "",
                           "END",
                           ":",
                           "--=x",
                           "/bin/sh"}) {
    EXPECT_THAT(Check(word), HasSubstr("by their whole names")) << word;
  }
}

TEST(SlurmArgumentsTest, RefusesAnOptionThatWouldTakeTheNextWordForItsValue) {
  EXPECT_THAT(Check("--begin"),
              HasSubstr("must give --begin its value in the same word"));
  EXPECT_THAT(Check("--contiguous=yes"), HasSubstr("it takes none"));
}

TEST(SlurmArgumentsTest, NamesTheOptionThatIsMeant) {
  EXPECT_THAT(Check("--mail-typ=END"), HasSubstr("--mail-type"));
}

TEST(SlurmArgumentsTest, RefusesControlCharacters) {
  for (const char* word :
       {"--begin=a\nb", "--begin=a\x1b[2J", "--begin=\x7f"}) {
    EXPECT_THAT(Check(word), HasSubstr("control characters")) << word;
  }
  EXPECT_THAT(Check(std::string("--begin=a\0b", 11)),
              HasSubstr("control characters"));
}

// The page lists what a job may set, and nothing else.
TEST(SlurmArgumentsTest, TheListOfThePageIsTheListOfTheCode) {
  std::ifstream file(std::string(VERNIER_TESTDATA_DIR) + "/../docs/slurm.md");
  std::stringstream page;
  page << file.rdbuf();
  const std::string text = page.str();
  const std::size_t start =
      text.find(":\n", text.find("## Options that a job may set\n"));
  ASSERT_NE(start, std::string::npos);
  const std::string section =
      text.substr(start, text.find("\n\n", start) - start);
  int count = 0;
  for (std::size_t at = section.find("`--"); at != std::string::npos;
       at = section.find("`--", at + 1)) {
    const std::string name =
        section.substr(at + 1, section.find_first_of("`=", at + 1) - at - 1);
    EXPECT_THAT(Check(name + "=x"), Not(HasSubstr("whole names"))) << name;
    ++count;
  }
  EXPECT_EQ(count, NumSlurmSiteOptions());
}

}  // namespace
}  // namespace vernier
