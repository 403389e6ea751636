#include "edge/call_pool.h"

#include <utility>

#include "base/check.h"

namespace vernier {

CallPool::CallPool(int threads) {
  VERNIER_CHECK(threads >= 1);
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { Work(); });
}

CallPool::~CallPool() {
  {
    MutexLock lock(mu_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void CallPool::Run(std::function<void()> call) {
  {
    MutexLock lock(mu_);
    calls_.push_back(std::move(call));
  }
  changed_.notify_one();
}

void CallPool::Work() {
  while (true) {
    std::function<void()> call;
    {
      MutexLock lock(mu_);
      while (calls_.empty() && !stopping_) changed_.wait(mu_);
      if (calls_.empty()) return;
      call = std::move(calls_.front());
      calls_.pop_front();
    }
    call();
  }
}

}  // namespace vernier
