#ifndef VERNIER_BASE_THREAD_POOL_H_
#define VERNIER_BASE_THREAD_POOL_H_

#include <condition_variable>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/fair_queue.h"
#include "base/mutex.h"

namespace vernier {

/// Threads that run the work they are given. Thread-safe.
class ThreadPool {
 public:
  /// Starts `threads` >= 1 threads.
  explicit ThreadPool(int threads) : ThreadPool(ThreadShares{threads}) {}
  /// Starts threads that callers share.
  explicit ThreadPool(const ThreadShares& shares);
  /// Runs the work that is still queued, then joins the threads.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Queues `work` of the program itself, which one of the threads runs, first
  /// come first served.
  void Run(std::function<void()> work) { Run("", std::move(work)); }
  /// Queues work of a caller, which gets its share by ThreadShares.
  void Run(const std::string& caller, std::function<void()> work);

 private:
  void Work();

  Mutex mu_;
  std::condition_variable_any changed_;
  FairQueue queue_ VERNIER_GUARDED_BY(mu_);
  bool stopping_ VERNIER_GUARDED_BY(mu_) = false;
  std::vector<std::thread> threads_;  // Constant after construction.
};

}  // namespace vernier

#endif  // VERNIER_BASE_THREAD_POOL_H_
