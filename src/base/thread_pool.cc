#include "base/thread_pool.h"

#include <utility>

#include "base/check.h"

namespace vernier {

ThreadPool::ThreadPool(int threads) {
  VERNIER_CHECK(threads >= 1);
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { Work(); });
}

ThreadPool::~ThreadPool() {
  {
    MutexLock lock(mu_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::Run(std::function<void()> work) {
  {
    MutexLock lock(mu_);
    queue_.push_back(std::move(work));
  }
  changed_.notify_one();
}

void ThreadPool::Work() {
  while (true) {
    std::function<void()> work;
    {
      MutexLock lock(mu_);
      while (queue_.empty() && !stopping_) changed_.wait(mu_);
      // Work that is still queued runs even after a stop was asked for.
      if (queue_.empty()) return;
      work = std::move(queue_.front());
      queue_.pop_front();
    }
    work();
  }
}

}  // namespace vernier
