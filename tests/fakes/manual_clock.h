#ifndef VERNIER_TESTS_FAKES_MANUAL_CLOCK_H_
#define VERNIER_TESTS_FAKES_MANUAL_CLOCK_H_

#include <chrono>

#include "base/clock.h"

namespace vernier {

/// A clock that stands still until a test moves it. Thread-compatible.
class ManualClock final : public Clock {
 public:
  Timestamp Now() const override { return Timestamp(steady_.since_boot); }
  SteadyTime Steady() const override { return steady_; }

  void Advance(std::chrono::microseconds by) { steady_.since_boot += by; }

 private:
  SteadyTime steady_{std::chrono::hours(1)};
};

}  // namespace vernier

#endif  // VERNIER_TESTS_FAKES_MANUAL_CLOCK_H_
