#include "base/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <mutex>
#include <numeric>
#include <vector>

namespace vernier {
namespace {

TEST(ThreadPoolTest, RunsInTheOrderOfArrival) {
  std::vector<int> order;
  {
    ThreadPool pool(1);
    for (int i = 0; i < 100; ++i) pool.Run([&order, i] { order.push_back(i); });
  }
  std::vector<int> expected(100);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(order, expected);
}

TEST(ThreadPoolTest, ThreadsWorkAtTheSameTime) {
  // Each waits for the others, which one thread could not outlast.
  std::latch all_run(3);
  ThreadPool pool(3);
  for (int i = 0; i < 3; ++i) pool.Run([&] { all_run.arrive_and_wait(); });
  all_run.wait();
}

TEST(ThreadPoolTest, WhatWasHandedInRunsBeforeTheEnd) {
  std::atomic<int> done{0};
  {
    ThreadPool pool(2);
    for (int i = 0; i < 50; ++i) {
      pool.Run([&] {
        ++done;
        pool.Run([&] { ++done; });
      });
    }
  }
  EXPECT_EQ(done, 100);
}

// One caller who hands in much must not keep the others waiting.
TEST(ThreadPoolTest, OneCallerLeavesThreadsForOthers) {
  std::latch release(1);
  std::latch others(1);
  ThreadPool pool(ThreadShares{.threads = 4, .most_of_one = 3});
  for (int i = 0; i < 100; ++i) pool.Run("much", [&] { release.wait(); });
  pool.Run("little", [&] { others.count_down(); });
  others.wait();
  release.count_down();
}

}  // namespace
}  // namespace vernier
