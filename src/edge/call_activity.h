#ifndef VERNIER_EDGE_CALL_ACTIVITY_H_
#define VERNIER_EDGE_CALL_ACTIVITY_H_

#include <chrono>
#include <functional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/mutex.h"
#include "edge/call_record.h"
#include "edge/call_statistics.h"

namespace vernier {

/// Measures since when the service has had no call, so that one that was
/// started in the background can end, counts the calls, and tells of each that
/// has ended. Thread-safe.
class CallActivity {
 public:
  /// Told of each call as it ends, on the call's own thread, so it must not
  /// wait. Any thread.
  using OnEnd = std::function<void(const CallRecord&)>;

  /// Borrows `clock`; it must outlive this object. `on_end` may be null.
  explicit CallActivity(const Clock& clock, OnEnd on_end = nullptr)
      : clock_(clock), on_end_(std::move(on_end)), last_(clock.Steady()) {}

  const Clock& clock() const { return clock_; }

  /// Returns when the call began, for End.
  SteadyTime Begin() {
    const SteadyTime now = clock_.Steady();
    MutexLock lock(mu_);
    ++calls_;
    return now;
  }

  void End() {
    const SteadyTime now = clock_.Steady();
    MutexLock lock(mu_);
    --calls_;
    last_ = now;
  }
  /// Ends a call that counts: see CallStatistics::Add.
  void End(SteadyTime began, Transport transport, const std::string& code) {
    statistics_.Add(transport, code, clock_.Steady() - began);
    End();
  }
  /// The same, and tells of it. `call` has its code.
  void End(SteadyTime began, CallRecord call) {
    Tell(clock_.Steady() - began, &call);
    End(began, call.transport, call.code);
  }
  /// Ends a stream: it is told of, but does not count, since its length says
  /// nothing about the service.
  void EndStream(SteadyTime began, CallRecord call) {
    Tell(clock_.Steady() - began, &call);
    End();
  }
  /// A call that was refused before it began: it keeps no service awake.
  void Refuse(CallRecord call) {
    statistics_.Add(call.transport, call.code, std::chrono::microseconds(0));
    Tell(std::chrono::microseconds(0), &call);
  }

  /// Whether anybody wants to know more of a call than its code.
  bool is_told() const { return on_end_ != nullptr; }
  /// When the head of a call has come.
  Timestamp Now() const { return clock_.Now(); }

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

  const CallStatistics& statistics() const { return statistics_; }

 private:
  void Tell(std::chrono::microseconds lasted, CallRecord* call) const {
    if (on_end_ == nullptr) return;
    call->lasted = lasted;
    on_end_(*call);
  }

  const Clock& clock_;
  const OnEnd on_end_;
  CallStatistics statistics_;
  mutable Mutex mu_;
  int calls_ VERNIER_GUARDED_BY(mu_) = 0;
  SteadyTime last_ VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_EDGE_CALL_ACTIVITY_H_
