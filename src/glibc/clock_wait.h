#ifndef VERNIER_GLIBC_CLOCK_WAIT_H_
#define VERNIER_GLIBC_CLOCK_WAIT_H_

#include <pthread.h>
#include <semaphore.h>
#include <time.h>

namespace vernier {

/// How long one call waits on CLOCK_REALTIME for a deadline of another clock.
struct WaitPlan {
  timespec until{};         ///< On CLOCK_REALTIME.
  bool ends_early = false;  ///< `until` is before the deadline.
};

/// The plan at an instant that is `now` on the deadline's clock and `real_now`
/// on CLOCK_REALTIME. Pure. No wait is longer than a minute, so that a
/// real-time clock that is set back meanwhile delays nobody by more than that.
WaitPlan PlanWait(const timespec& deadline, const timespec& now,
                  const timespec& real_now);

/// Waits as pthread_cond_clockwait of glibc 2.30 does, by the call that older
/// releases have: `condition` waits on CLOCK_REALTIME. It also returns 0, as at
/// a spurious wake-up, when its plan ends early.
int WaitOnClock(pthread_cond_t* condition, pthread_mutex_t* mutex,
                clockid_t clock, const timespec* deadline);

/// The same for sem_clockwait: 0, or -1 and errno. It waits until the deadline.
int TakeByClock(sem_t* semaphore, clockid_t clock, const timespec* deadline);

}  // namespace vernier

#endif  // VERNIER_GLIBC_CLOCK_WAIT_H_
