#include "trials/jobs/repeated_lines.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

using std::chrono::seconds;

TEST(RepeatedLinesTest, SaysALineOnceAMinuteAndHowOftenItWasLeftOut) {
  RepeatedLines lines;
  const SteadyTime start{};
  EXPECT_EQ(lines.Pass("full", start), "full");
  EXPECT_EQ(lines.Pass("full", start + seconds(1)), std::nullopt);
  EXPECT_EQ(lines.Pass("other", start + seconds(1)), "other");
  EXPECT_EQ(lines.Pass("full", start + seconds(59)), std::nullopt);
  EXPECT_EQ(lines.Pass("full", start + seconds(60)),
            "full (and 2 times more since it was last said)");
  EXPECT_EQ(lines.Pass("full", start + seconds(120)), "full");
}

TEST(RepeatedLinesTest, ForgetsOldLinesAndRemembersNoMoreThanItMay) {
  RepeatedLines lines;
  SteadyTime now{};
  for (int i = 0; i < 5000; ++i) {
    EXPECT_TRUE(lines.Pass(std::to_string(i), now).has_value());
  }
  EXPECT_FALSE(lines.Pass("0", now).has_value());
  EXPECT_TRUE(lines.Pass("4999", now).has_value());  // One too many.
  now = now + seconds(61);
  EXPECT_TRUE(lines.Pass("new", now).has_value());
  EXPECT_FALSE(lines.Pass("new", now).has_value());
}

}  // namespace
}  // namespace vernier
