#ifndef VERNIER_BASE_CALLS_CALL_METER_H_
#define VERNIER_BASE_CALLS_CALL_METER_H_

#include <cstdint>

#include "absl/status/status.h"

namespace vernier {

/// The resources that a call is about to use.
struct CallCost {
  std::int64_t rows = 0;    ///< Records that it reads.
  std::uint64_t bytes = 0;  ///< Of its answer in memory.
};

/// Counts the resources of one call, and says when it must end.
class CallMeter {
 public:
  virtual ~CallMeter() = default;
  /// Returns OK, or the error with which the call ends: it has used up its
  /// limits, or nobody waits for its answer any more.
  virtual absl::Status Use(const CallCost& cost) = 0;
};

/// While an object of this class lives, `meter`, which must outlive it, counts
/// what this thread does. The functions that make an answer are many levels
/// below the one that knows the caller, and most have nothing else to do with
/// calls.
class CallMeterScope {
 public:
  explicit CallMeterScope(CallMeter* meter);
  ~CallMeterScope();
  CallMeterScope(const CallMeterScope&) = delete;
  CallMeterScope& operator=(const CallMeterScope&) = delete;

 private:
  CallMeter* const before_;
};

/// Must be called by each loop whose length callers choose, before a row is
/// read or made. Only for calls that change nothing, or before they have
/// changed anything. Always OK outside of a call.
absl::Status UseInCall(const CallCost& cost);

}  // namespace vernier

#endif  // VERNIER_BASE_CALLS_CALL_METER_H_
