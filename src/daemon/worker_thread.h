#ifndef VERNIER_DAEMON_WORKER_THREAD_H_
#define VERNIER_DAEMON_WORKER_THREAD_H_

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace vernier {

/// A thread that takes steps, and waits between them as long as each step says.
/// Thread-safe, except that Start and Stop are called by one thread.
class WorkerThread {
 public:
  using Step = std::function<std::chrono::milliseconds()>;

  explicit WorkerThread(Step step) : step_(std::move(step)) {}
  ~WorkerThread() { Stop(); }
  WorkerThread(const WorkerThread&) = delete;
  WorkerThread& operator=(const WorkerThread&) = delete;

  void Start() {
    thread_ = std::thread([this] { Run(); });
  }

  /// Ends the current wait, or else the next one.
  void Wake() {
    {
      const std::lock_guard lock(mu_);
      is_woken_ = true;
    }
    changed_.notify_one();
  }

  /// Ends the thread after the current step. Idempotent.
  void Stop() {
    {
      const std::lock_guard lock(mu_);
      is_stopping_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
  }

 private:
  void Run() {
    while (true) {
      const std::chrono::milliseconds wait = step_();
      std::unique_lock lock(mu_);
      changed_.wait_for(lock, wait,
                        [this] { return is_woken_ || is_stopping_; });
      if (is_stopping_) return;
      is_woken_ = false;
    }
  }

  const Step step_;
  // This is not a vernier::Mutex, because a condition variable needs a
  // std::mutex.
  std::mutex mu_;
  std::condition_variable changed_;
  bool is_woken_ = false;     // Guarded by mu_.
  bool is_stopping_ = false;  // Guarded by mu_.
  std::thread thread_;
};

}  // namespace vernier

#endif  // VERNIER_DAEMON_WORKER_THREAD_H_
