#include "study/ends/end_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <string>

namespace vernier {
namespace {

using testing::HasSubstr;

TEST(EndRuleTest, SignalsHaveTheirNames) {
  EXPECT_EQ(SignalNumber("SIGSEGV"), SIGSEGV);
  EXPECT_EQ(SignalNumber("KILL"), SIGKILL);
  EXPECT_EQ(SignalNumber("SIGNONE"), 0);
  EXPECT_EQ(SignalNumber(""), 0);
}

TEST(EndRuleTest, APatternThatCannotHoldIsRefused) {
  EXPECT_TRUE(CheckLogPattern("licen[cs]e").ok());
  EXPECT_THAT(std::string(CheckLogPattern("(a").message()),
              HasSubstr("is no regular expression (RE2): missing )"));
  EXPECT_THAT(std::string(CheckLogPattern(".*").message()),
              HasSubstr("matches an empty line"));
  EXPECT_THAT(std::string(CheckLogPattern(std::string(1001, 'a')).message()),
              HasSubstr("at most 1000 bytes"));
}

TEST(EndRuleTest, TheLastLineThatMatchesIsTheEvidence) {
  const std::string log = "no room: a\r\nno room: b\nTraceback\n\n";
  EXPECT_EQ(LastLineWith("no room", log), "no room: b");
  EXPECT_EQ(LastLineWith("^Trace", log), "Traceback");
  EXPECT_EQ(LastLineWith("room$", log), "");
  EXPECT_EQ(LastLineWith("a", ""), "");
  EXPECT_EQ(LastLineWith("(", log), "");
  EXPECT_EQ(LastLineWith("x", std::string(999, 'x')), std::string(300, 'x'));
}

// A backtracking matcher would need longer than the universe has.
TEST(EndRuleTest, NoPatternHangs) {
  EXPECT_EQ(LastLineWith("(a*)*(a*)*(a*)*b$", std::string(16384, 'a')), "");
}

}  // namespace
}  // namespace vernier
