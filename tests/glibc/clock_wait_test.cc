#include "glibc/clock_wait.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <limits>

namespace vernier {
namespace {

constexpr timespec kNow{100, 900'000'000};
constexpr timespec kRealNow{5000, 800'000'000};

struct PlanCase {
  const char* what;
  timespec deadline;
  timespec until;
  bool ends_early;
};

TEST(ClockWaitTest, WaitsAsLongOnTheOtherClock) {
  constexpr time_t kMost = std::numeric_limits<time_t>::max();
  const PlanCase cases[] = {
      {"a part of a second", {101, 0}, {5000, 900'000'000}, false},
      {"into the next second", {101, 200'000'000}, {5001, 100'000'000}, false},
      {"now", kNow, kRealNow, false},
      {"just past", {100, 899'999'999}, kRealNow, false},
      {"long past", {0, 0}, kRealNow, false},
      {"the longest", {160, 900'000'000}, {5060, 800'000'000}, false},
      {"too long", {160, 900'000'001}, {5060, 800'000'000}, true},
      {"for ever", {kMost, 999'999'999}, {5060, 800'000'000}, true},
      {"before all time", {-kMost, 0}, kRealNow, false},
  };
  for (const PlanCase& each : cases) {
    const WaitPlan plan = PlanWait(each.deadline, kNow, kRealNow);
    EXPECT_EQ(plan.until.tv_sec, each.until.tv_sec) << each.what;
    EXPECT_EQ(plan.until.tv_nsec, each.until.tv_nsec) << each.what;
    EXPECT_EQ(plan.ends_early, each.ends_early) << each.what;
  }
}

TEST(ClockWaitTest, EndsAtADeadlineThatIsPast) {
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  ::pthread_mutex_lock(&mutex);
  const timespec past{1, 0};
  const timespec wrong{1, 1'000'000'000};
  EXPECT_EQ(WaitOnClock(&condition, &mutex, CLOCK_MONOTONIC, &past), ETIMEDOUT);
  EXPECT_EQ(WaitOnClock(&condition, &mutex, CLOCK_REALTIME, &past), ETIMEDOUT);
  EXPECT_EQ(WaitOnClock(&condition, &mutex, CLOCK_REALTIME, &wrong), EINVAL);
  EXPECT_EQ(WaitOnClock(&condition, &mutex, CLOCK_BOOTTIME, &past), EINVAL);
  ::pthread_mutex_unlock(&mutex);
}

TEST(ClockWaitTest, TakesASemaphoreThatIsFree) {
  sem_t semaphore;
  ::sem_init(&semaphore, 0, 1);
  const timespec past{1, 0};
  EXPECT_EQ(TakeByClock(&semaphore, CLOCK_MONOTONIC, &past), 0);
  EXPECT_EQ(TakeByClock(&semaphore, CLOCK_MONOTONIC, &past), -1);
  EXPECT_EQ(errno, ETIMEDOUT);
  EXPECT_EQ(TakeByClock(&semaphore, CLOCK_BOOTTIME, &past), -1);
  EXPECT_EQ(errno, EINVAL);
  ::sem_destroy(&semaphore);
}

}  // namespace
}  // namespace vernier
