#ifndef VERNIER_BASE_THREAD_POOL_H_
#define VERNIER_BASE_THREAD_POOL_H_

#include <condition_variable>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace vernier {

/// Threads that run what they are handed. Thread-safe.
class ThreadPool {
 public:
  /// Starts `threads` >= 1 threads.
  explicit ThreadPool(int threads);
  /// Runs what is still queued, then joins the threads.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Queues `work`, which one of the threads runs, first come first served.
  void Run(std::function<void()> work);

 private:
  void Work();

  Mutex mu_;
  std::condition_variable_any changed_;
  std::deque<std::function<void()>> queue_ VERNIER_GUARDED_BY(mu_);
  bool stopping_ VERNIER_GUARDED_BY(mu_) = false;
  std::vector<std::thread> threads_;  // Constant after construction.
};

}  // namespace vernier

#endif  // VERNIER_BASE_THREAD_POOL_H_
