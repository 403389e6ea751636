#include "access/rate_limiter.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "tests/fakes/manual_clock.h"

namespace vernier {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class RateLimiterTest : public testing::Test {
 protected:
  /// How many of so many calls are let through.
  int Admitted(const std::string& caller, int calls) {
    int admitted = 0;
    for (int i = 0; i < calls; ++i) admitted += limiter_.Admit(caller).ok();
    return admitted;
  }

  ManualClock clock_;
  RateLimiter limiter_{{10, 2}, clock_};
};

TEST_F(RateLimiterTest, AfterABurstItIsSoManyASecond) {
  EXPECT_EQ(Admitted("a", 100), 20);
  clock_.Advance(milliseconds(99));
  EXPECT_EQ(Admitted("a", 1), 0);
  clock_.Advance(milliseconds(1));
  EXPECT_EQ(Admitted("a", 2), 1);
  clock_.Advance(seconds(1));
  EXPECT_EQ(Admitted("a", 100), 10);
  // A rest is worth one burst, however long it is.
  clock_.Advance(std::chrono::hours(9));
  EXPECT_EQ(Admitted("a", 100), 20);
}

TEST_F(RateLimiterTest, OneCallerDoesNotHoldUpAnother) {
  EXPECT_EQ(Admitted("a", 100), 20);
  EXPECT_EQ(Admitted("b", 100), 20);
}

TEST_F(RateLimiterTest, TheRefusalSaysWhenToTryAgain) {
  Admitted("a", 20);
  const absl::Status status = limiter_.Admit("a");
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_EQ(RetryAfter(status), 1);
  EXPECT_EQ(status.message(),
            "token a may make 10 calls a second; try again in 1 s");
  EXPECT_EQ(RetryAfter(absl::ResourceExhaustedError("no disk")), 0);
  EXPECT_EQ(RetryAfter(absl::OkStatus()), 0);
}

TEST_F(RateLimiterTest, LessThanOneASecondIsPossible) {
  RateLimiter slow({0.25, 2}, clock_);
  EXPECT_TRUE(slow.Admit("a").ok());
  const absl::Status status = slow.Admit("a");
  EXPECT_EQ(RetryAfter(status), 4);
  clock_.Advance(seconds(4));
  EXPECT_TRUE(slow.Admit("a").ok());
}

TEST_F(RateLimiterTest, ZeroIsNoLimit) {
  RateLimiter off({0, 2}, clock_);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(off.Admit("a").ok());
  EXPECT_EQ(off.size(), 0u);
}

TEST_F(RateLimiterTest, CallersThatRestAreForgotten) {
  for (int i = 0; i < 1000; ++i) Admitted(std::to_string(i), 1);
  clock_.Advance(seconds(5));
  Admitted("busy", 20);
  for (int i = 1000; i < 2000; ++i) Admitted(std::to_string(i), 1);
  EXPECT_LT(limiter_.size(), 1100u);
  EXPECT_EQ(Admitted("busy", 1), 0);
}

}  // namespace
}  // namespace vernier
