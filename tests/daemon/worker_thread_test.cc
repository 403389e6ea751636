#include "daemon/worker_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <semaphore>

namespace vernier {
namespace {

constexpr std::chrono::hours kForEver{1};

TEST(WorkerThreadTest, StepsAtOnceAndWhenItIsWoken) {
  std::counting_semaphore<10> stepped(0);
  WorkerThread worker([&stepped] {
    stepped.release();
    return std::chrono::milliseconds(kForEver);
  });
  worker.Start();
  stepped.acquire();
  worker.Wake();
  stepped.acquire();
  worker.Stop();
  EXPECT_FALSE(stepped.try_acquire());
}

TEST(WorkerThreadTest, AWakeDuringAStepIsNotLost) {
  std::binary_semaphore is_in_step(0);
  std::binary_semaphore may_end(0);
  std::binary_semaphore stepped_again(0);
  std::atomic<int> steps = 0;
  WorkerThread worker([&] {
    if (++steps == 1) {
      is_in_step.release();
      may_end.acquire();
    } else {
      stepped_again.release();
    }
    return std::chrono::milliseconds(kForEver);
  });
  worker.Start();
  is_in_step.acquire();
  worker.Wake();
  may_end.release();
  stepped_again.acquire();
  EXPECT_EQ(steps, 2);
}

TEST(WorkerThreadTest, StepsOnWithoutAWait) {
  std::binary_semaphore enough(0);
  std::atomic<int> steps = 0;
  WorkerThread worker([&] {
    if (++steps < 5) return std::chrono::milliseconds(0);
    enough.release();
    return std::chrono::milliseconds(kForEver);
  });
  worker.Start();
  enough.acquire();
  worker.Stop();
  worker.Stop();
  EXPECT_EQ(steps, 5);
}

TEST(WorkerThreadTest, MayBeStoppedBeforeItStarts) {
  WorkerThread worker([] { return std::chrono::milliseconds(0); });
  worker.Stop();
}

}  // namespace
}  // namespace vernier
