#include "http/body_pace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace vernier {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::HasSubstr;

BodyPace::Limits Limits() {
  return {.grace = seconds(30), .least_bytes_per_second = 500};
}

TEST(BodyPaceTest, EndsABodyThatDrips) {
  BodyPace pace(Limits());
  EXPECT_TRUE(pace.Add(seconds(20), 1).ok());
  const absl::Status status = pace.Add(seconds(20), 1);
  EXPECT_TRUE(absl::IsDeadlineExceeded(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("500 bytes a second"));
}

TEST(BodyPaceTest, EndsABodyThatIsALittleTooSlow) {
  BodyPace pace(Limits());
  int taken = 0;
  while (taken < 1000 && pace.Add(seconds(1), 400).ok()) ++taken;
  // Each second costs a fifth of one, and 29 of them are used up then.
  EXPECT_EQ(taken, 146);
}

TEST(BodyPaceTest, TakesASlowLinkForHours) {
  BodyPace pace(Limits());
  for (int i = 0; i < 10000; ++i) {
    // A modem that stops for a while, then brings what has queued up.
    ASSERT_TRUE(pace.Add(seconds(25), 25 * 500).ok()) << i;
  }
}

TEST(BodyPaceTest, AFastBeginningPaysForNoDripping) {
  BodyPace pace(Limits());
  ASSERT_TRUE(pace.Add(milliseconds(1), std::size_t{1} << 40).ok());
  EXPECT_TRUE(pace.Add(seconds(20), 1).ok());
  EXPECT_FALSE(pace.Add(seconds(20), 1).ok());
}

TEST(BodyPaceTest, AWholeBodyMayBeGivenATime) {
  BodyPace::Limits limits = Limits();
  limits.longest = minutes(10);
  BodyPace pace(limits);
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(pace.Add(seconds(10), 10000).ok());
  const absl::Status status = pace.Add(milliseconds(1), 10000);
  EXPECT_TRUE(absl::IsDeadlineExceeded(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("longer than 600 s"));
}

TEST(BodyPaceTest, LongTimesDoNotOverflow) {
  BodyPace pace({.grace = hours(24 * 365),
                 .least_bytes_per_second = std::uint64_t{1} << 30});
  EXPECT_TRUE(pace.Add(hours(24), SIZE_MAX).ok());
}

}  // namespace
}  // namespace vernier
