#include "study/metrics/metric_pattern.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace vernier {
namespace {

std::string Refusal(const std::string& expression,
                    const std::string& metric = "loss") {
  const auto pattern = MetricPattern::Compile(expression, metric);
  EXPECT_FALSE(pattern.ok()) << expression;
  EXPECT_EQ(pattern.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(pattern.status().message());
}

TEST(MetricPatternTest, FindsItsGroupsFromLeftToRight) {
  const auto pattern = MetricPattern::Compile(
      R"((?P<name>\w+)=(?P<value>\d+)(?:@(?P<step>\d+))?)", "");
  ASSERT_TRUE(pattern.ok()) << pattern.status();
  EXPECT_EQ(pattern->metric(), "");
  const auto matches = pattern->FindAll("a=1@2, b=3");
  ASSERT_EQ(matches.size(), 2u);
  EXPECT_EQ(matches[0].name, "a");
  EXPECT_EQ(matches[0].value, "1");
  EXPECT_EQ(matches[0].step, "2");
  EXPECT_EQ(matches[1].name, "b");
  EXPECT_EQ(matches[1].step, "");
  EXPECT_TRUE(pattern->FindAll("").empty());
}

TEST(MetricPatternTest, SeesTheLineAsAWhole) {
  const auto pattern = MetricPattern::Compile("^(?P<value>\\d)", "loss");
  ASSERT_TRUE(pattern.ok());
  EXPECT_EQ(pattern->metric(), "loss");
  EXPECT_EQ(pattern->FindAll("123").size(), 1u);
}

TEST(MetricPatternTest, LeavesOutMatchesWithoutAValue) {
  const auto pattern = MetricPattern::Compile("x(?P<value>\\d)?", "loss");
  ASSERT_TRUE(pattern.ok());
  EXPECT_EQ(pattern->FindAll("x x1 x").size(), 1u);
  // Empty matches in between do not stop it.
  const auto empty = MetricPattern::Compile("\\b(?P<value>\\d*)", "loss");
  ASSERT_TRUE(empty.ok());
  EXPECT_EQ(empty->FindAll("a 1 x x 2").size(), 2u);
}

TEST(MetricPatternTest, BoundsItsMatches) {
  const auto pattern = MetricPattern::Compile("(?P<value>\\d)", "loss");
  ASSERT_TRUE(pattern.ok());
  EXPECT_EQ(pattern->FindAll(std::string(1000, '1')).size(),
            kMaxPatternMatches);
}

TEST(MetricPatternTest, CanBeMoved) {
  auto pattern = MetricPattern::Compile("(?P<value>\\d)", "loss");
  ASSERT_TRUE(pattern.ok());
  const MetricPattern moved = *std::move(pattern);
  EXPECT_EQ(moved.FindAll("1").size(), 1u);
}

TEST(MetricPatternTest, SaysWhatIsWrong) {
  EXPECT_EQ(Refusal(""), "the pattern \"\" is not valid: it is empty");
  EXPECT_EQ(Refusal("loss=(?P<value>\\d"),
            "the pattern \"loss=(?P<value>\\d\" is not valid: missing ): "
            "loss=(?P<value>\\d");
  EXPECT_EQ(Refusal("loss=(\\d+)"),
            "the pattern \"loss=(\\d+)\" is not valid: it must have a group "
            "(?P<value>...)");
  EXPECT_EQ(Refusal("(?P<valeu>\\d+)"),
            "the pattern \"(?P<valeu>\\d+)\" is not valid: its group \"valeu\" "
            "must be \"value\", \"name\" or \"step\"");
  EXPECT_EQ(Refusal("=(?P<value>\\d+)", ""),
            "the pattern \"=(?P<value>\\d+)\" is not valid: it must have a "
            "group (?P<name>...), or its metric must be given");
  EXPECT_EQ(Refusal("(?P<name>a)=(?P<value>\\d+)"),
            "the pattern \"(?P<name>a)=(?P<value>\\d+)\" is not valid: it must "
            "not have a group (?P<name>...), as its metric is given: \"loss\"");
  EXPECT_EQ(Refusal("(?P<value>\\d*)"),
            "the pattern \"(?P<value>\\d*)\" is not valid: it must not match "
            "the empty text");
  EXPECT_NE(Refusal("(?<value>\\d)")
                .find("; a named group is written (?P<value>...), and there is "
                      "no look-behind"),
            std::string::npos);
}

TEST(MetricPatternTest, RefusesPatternsThatAreTooLargeForAnyUse) {
  EXPECT_NE(Refusal(std::string(kMaxMetricPattern + 1, 'a'))
                .find("it must have at most 1000 bytes: 1001"),
            std::string::npos);
  EXPECT_NE(Refusal("(?P<value>(((a{100}){100}){100}))").find("is not valid"),
            std::string::npos);
  EXPECT_NE(Refusal("(?P<value>a{900}b{900}c{900})").find("too complex"),
            std::string::npos);
  std::string groups = "(?P<value>a)";
  for (int i = 0; i < 31; ++i) groups += "(b)";
  EXPECT_NE(Refusal(groups).find("at most 31 groups"), std::string::npos);
}

// A backtracking matcher would not end.
TEST(MetricPatternTest, IsLinearInTheLine) {
  const auto pattern = MetricPattern::Compile("(?P<value>(a*)*(a*)*b)", "loss");
  ASSERT_TRUE(pattern.ok()) << pattern.status();
  EXPECT_TRUE(pattern->FindAll(std::string(16384, 'a')).empty());
}

}  // namespace
}  // namespace vernier
