#include "cli/background/service_guard.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace vernier {
namespace {

using std::chrono::milliseconds;

constexpr int Exited(int code) { return code << 8; }
constexpr int Killed(int signal) { return signal; }

ServiceEnd End(int status, milliseconds lived = std::chrono::hours(1),
               int quick_ends_before = 0) {
  return {status, lived, quick_ends_before};
}

TEST(ServiceGuardTest, StartsAgainWhatWasKilledOrFailed) {
  for (const int status : {Killed(SIGKILL), Killed(SIGSEGV), Killed(SIGABRT),
                           Exited(75), Exited(74), Exited(1)}) {
    EXPECT_EQ(RestartDelay(End(status)), milliseconds(0)) << status;
  }
}

TEST(ServiceGuardTest, LeavesAloneWhatWasStoppedOrCannotServe) {
  for (const int status : {Exited(0), Killed(SIGTERM), Killed(SIGINT),
                           Exited(2), Exited(73), Exited(76), Exited(77)}) {
    EXPECT_EQ(RestartDelay(End(status)), std::nullopt) << status;
  }
}

TEST(ServiceGuardTest, WaitsLongerEachTimeAndGivesUp) {
  const auto delay = [](int before) {
    return RestartDelay(End(Killed(SIGKILL), milliseconds(5), before));
  };
  EXPECT_EQ(delay(0), milliseconds(0));
  EXPECT_EQ(delay(1), milliseconds(1000));
  EXPECT_EQ(delay(2), milliseconds(2000));
  EXPECT_EQ(delay(6), milliseconds(32000));
  EXPECT_EQ(delay(8), milliseconds(60000));
  EXPECT_EQ(delay(9), std::nullopt);
  // One that stays up has all its chances again.
  EXPECT_EQ(RestartDelay(End(Killed(SIGKILL), std::chrono::minutes(1), 9)),
            milliseconds(0));
}

TEST(ServiceGuardTest, SaysHowItEnded) {
  EXPECT_EQ(DescribeServiceEnd(Killed(9)), "was killed by signal 9");
  EXPECT_EQ(DescribeServiceEnd(Exited(75)), "ended with status 75");
}

}  // namespace
}  // namespace vernier
