#ifndef VERNIER_EDGE_CALL_ACTIVITY_H_
#define VERNIER_EDGE_CALL_ACTIVITY_H_

#include <chrono>

#include "base/clock.h"
#include "base/mutex.h"

namespace vernier {

/// Measures since when the service has had no call, so that one that was
/// started in the background can end. Thread-safe.
class CallActivity {
 public:
  /// Borrows `clock`; it must outlive this object.
  explicit CallActivity(const Clock& clock)
      : clock_(clock), last_(clock.Steady()) {}

  void Begin() {
    MutexLock lock(mu_);
    ++calls_;
  }

  void End() {
    const SteadyTime now = clock_.Steady();
    MutexLock lock(mu_);
    --calls_;
    last_ = now;
  }

  /// Something happened after which a full idle time must pass.
  void Touch() {
    const SteadyTime now = clock_.Steady();
    MutexLock lock(mu_);
    last_ = now;
  }

  /// Time since the last call ended; zero while one is under way.
  std::chrono::microseconds IdleFor() const {
    const SteadyTime now = clock_.Steady();
    MutexLock lock(mu_);
    return calls_ > 0 ? std::chrono::microseconds(0) : now - last_;
  }

 private:
  const Clock& clock_;
  mutable Mutex mu_;
  int calls_ VERNIER_GUARDED_BY(mu_) = 0;
  SteadyTime last_ VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_EDGE_CALL_ACTIVITY_H_
