#ifndef VERNIER_EDGE_CALL_POOL_H_
#define VERNIER_EDGE_CALL_POOL_H_

#include <condition_variable>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace vernier {

/// A few threads that run calls. gRPC's callback API hands out calls on two
/// threads of its own on a small machine; one call that copies a code folder
/// and one that waits for the disk would stop all others there. Thread-safe.
class CallPool {
 public:
  /// Starts `threads` >= 1 threads.
  explicit CallPool(int threads);
  /// Runs what was handed in, then joins.
  ~CallPool();
  CallPool(const CallPool&) = delete;
  CallPool& operator=(const CallPool&) = delete;

  /// Runs `call` on one of the threads, in the order of arrival.
  void Run(std::function<void()> call);

 private:
  void Work();

  Mutex mu_;
  std::condition_variable_any changed_;
  std::deque<std::function<void()>> calls_ VERNIER_GUARDED_BY(mu_);
  bool stopping_ VERNIER_GUARDED_BY(mu_) = false;
  std::vector<std::thread> threads_;  // Constant after construction.
};

}  // namespace vernier

#endif  // VERNIER_EDGE_CALL_POOL_H_
