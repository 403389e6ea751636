#ifndef VERNIER_EDGE_CALL_BUDGET_H_
#define VERNIER_EDGE_CALL_BUDGET_H_

#include <atomic>
#include <chrono>
#include <cstdint>

#include "absl/status/status.h"
#include "base/calls/call_meter.h"
#include "base/clock.h"
#include "edge/load_limiter.h"

namespace vernier {

/// Limits the rows, time and memory that one call may use; the memory belongs
/// to its caller's share, and is reserved before the answer is made. The budget
/// ends when the client leaves. Only one thread at a time may use it, except
/// for Abandon.
class CallBudget final : public CallMeter {
 public:
  struct Limits {
    std::int64_t rows = 5'000'000;
    std::chrono::milliseconds time{30000};
  };

  /// Borrows both. Without a share the caller is trusted, and the call only
  /// ends with its client.
  CallBudget(LoadLimiter::Share* share, const Clock& clock, Limits limits)
      : share_(share), clock_(clock), limits_(limits) {}
  CallBudget(LoadLimiter::Share* share, const Clock& clock)
      : CallBudget(share, clock, Limits{}) {}

  /// Notes that nobody waits for the answer any more. Any thread.
  void Abandon() { is_abandoned_ = true; }
  bool is_abandoned() const { return is_abandoned_; }

  /// Starts the time of the call.
  void Begin();
  /// Errors: CANCELLED; DEADLINE_EXCEEDED and RESOURCE_EXHAUSTED for more time
  /// or rows than a call may use; those of LoadLimiter::Share::Reserve.
  absl::Status Use(const CallCost& cost) override;

 private:
  absl::Status Reserve(std::uint64_t bytes);

  LoadLimiter::Share* const share_;
  const Clock& clock_;
  const Limits limits_;
  std::atomic<bool> is_abandoned_ = false;
  SteadyTime began_{};
  std::int64_t rows_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t reserved_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_EDGE_CALL_BUDGET_H_
