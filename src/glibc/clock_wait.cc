#include "glibc/clock_wait.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>

namespace vernier {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kLongestWait = 60 * kSecond;

bool IsWaitedFor(clockid_t clock, const timespec& deadline) {
  return deadline.tv_nsec >= 0 && deadline.tv_nsec < kSecond &&
         (clock == CLOCK_MONOTONIC || clock == CLOCK_REALTIME);
}

WaitPlan PlanFromNow(clockid_t clock, const timespec& deadline) {
  timespec now{};
  timespec real_now{};
  ::clock_gettime(clock, &now);
  ::clock_gettime(CLOCK_REALTIME, &real_now);
  return PlanWait(deadline, now, real_now);
}

}  // namespace

WaitPlan PlanWait(const timespec& deadline, const timespec& now,
                  const timespec& real_now) {
  // A deadline may be as far away as a time can be, in nanoseconds too far.
  const std::int64_t seconds =
      std::clamp<std::int64_t>(deadline.tv_sec, now.tv_sec - 1,
                               now.tv_sec + 62) -
      now.tv_sec;
  const std::int64_t left = seconds * kSecond + deadline.tv_nsec - now.tv_nsec;
  const std::int64_t end =
      real_now.tv_nsec + std::clamp<std::int64_t>(left, 0, kLongestWait);
  return {{real_now.tv_sec + end / kSecond, end % kSecond},
          left > kLongestWait};
}

int WaitOnClock(pthread_cond_t* condition, pthread_mutex_t* mutex,
                clockid_t clock, const timespec* deadline) {
  if (!IsWaitedFor(clock, *deadline)) return EINVAL;
  const WaitPlan plan = PlanFromNow(clock, *deadline);
  const int waited = ::pthread_cond_timedwait(condition, mutex, &plan.until);
  return waited == ETIMEDOUT && plan.ends_early ? 0 : waited;
}

int TakeByClock(sem_t* semaphore, clockid_t clock, const timespec* deadline) {
  if (!IsWaitedFor(clock, *deadline)) {
    errno = EINVAL;
    return -1;
  }
  while (true) {
    const WaitPlan plan = PlanFromNow(clock, *deadline);
    if (::sem_timedwait(semaphore, &plan.until) == 0) return 0;
    if (errno != ETIMEDOUT || !plan.ends_early) return -1;
  }
}

}  // namespace vernier
