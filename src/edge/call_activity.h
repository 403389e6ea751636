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

/// Measures how long the service has had no call (one that was started in the
/// background can then end), counts the calls, and reports each call that has
/// ended. Thread-safe.
class CallActivity {
 public:
  /// Called for each call as it ends, on the call's own thread, so it must not
  /// wait. Any thread.
  using OnEnd = std::function<void(const CallRecord&)>;

  /// Borrows `clock`; it must outlive this object. `on_end` may be null.
  explicit CallActivity(const Clock& clock, OnEnd on_end = nullptr)
      : clock_(clock), on_end_(std::move(on_end)), last_(clock.Steady()) {}

  const Clock& clock() const { return clock_; }

  /// Begins a call. Returns when it began, for End.
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
  /// Does the same and reports the call. `call` has its code.
  void End(SteadyTime began, CallRecord call) {
    Tell(clock_.Steady() - began, &call);
    End(began, call.transport, call.code);
  }
  /// Ends a stream: it is reported, but does not count, since its duration says
  /// nothing about the service.
  void EndStream(SteadyTime began, CallRecord call) {
    Tell(clock_.Steady() - began, &call);
    End();
  }
  /// Reports a call that was refused before it began; it does not keep the
  /// service awake.
  void Refuse(CallRecord call) {
    statistics_.Add(call.transport, call.code, std::chrono::microseconds(0));
    Tell(std::chrono::microseconds(0), &call);
  }

  /// Returns whether calls are reported, so that more than their code is
  /// needed.
  bool is_told() const { return on_end_ != nullptr; }
  /// Returns the time at which the head of a call has come.
  Timestamp Now() const { return clock_.Now(); }

  /// Notes an event after which a full idle time must pass.
  void Touch() {
    const SteadyTime now = clock_.Steady();
    MutexLock lock(mu_);
    last_ = now;
  }

  /// Returns the time since the last call ended; zero while one is running.
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
