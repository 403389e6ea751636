#include "base/thread_pool.h"

#include <optional>
#include <utility>

#include "base/check.h"

namespace vernier {

ThreadPool::ThreadPool(const ThreadShares& shares) : queue_(shares) {
  VERNIER_CHECK(shares.threads >= 1 && shares.most_of_one >= 1);
  for (int i = 0; i < shares.threads; ++i) {
    threads_.emplace_back([this] { Work(); });
  }
}

ThreadPool::~ThreadPool() {
  {
    MutexLock lock(mu_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::Run(const std::string& caller, std::function<void()> work) {
  {
    MutexLock lock(mu_);
    queue_.Add(caller, std::move(work));
  }
  changed_.notify_one();
}

void ThreadPool::Work() {
  mu_.lock();
  while (true) {
    std::optional<FairQueue::Turn> turn = queue_.Next();
    if (!turn.has_value()) {
      // Work that is still queued runs even after a stop was asked for, once
      // its caller's share allows it.
      if (stopping_ && queue_.is_empty()) break;
      changed_.wait(mu_);
      continue;
    }
    mu_.unlock();
    turn->work();
    turn->work = nullptr;  // What it holds goes without the lock.
    mu_.lock();
    queue_.Ended(turn->caller);
    // This thread takes one of those that may run now; there may be more. The
    // last ones also end the threads that wait for the end.
    if (!queue_.is_empty()) changed_.notify_one();
    if (stopping_) changed_.notify_all();
  }
  mu_.unlock();
}

}  // namespace vernier
