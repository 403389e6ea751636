#ifndef VERNIER_BASE_CLOCK_H_
#define VERNIER_BASE_CLOCK_H_

#include <chrono>
#include <string>

namespace vernier {

/// Wall-clock instant with microseconds, UTC. It is for people to read: no
/// decision compares two of them, since the wall clock may jump.
using Timestamp = std::chrono::sys_time<std::chrono::microseconds>;

/// Instant on a clock that never jumps and counts suspended time
/// (CLOCK_BOOTTIME). Comparable only within one boot of one machine.
struct SteadyTime {
  std::chrono::microseconds since_boot{0};

  friend auto operator<=>(const SteadyTime&, const SteadyTime&) = default;
};

inline std::chrono::microseconds operator-(SteadyTime a, SteadyTime b) {
  return a.since_boot - b.since_boot;
}
inline SteadyTime operator+(SteadyTime a, std::chrono::microseconds b) {
  return SteadyTime{a.since_boot + b};
}

/// Source of time. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Timestamp Now() const = 0;
  virtual SteadyTime Steady() const = 0;
};

/// The machine's clocks. Only this class reads the time. Thread-safe.
class SystemClock final : public Clock {
 public:
  Timestamp Now() const override;
  SteadyTime Steady() const override;
};

/// RFC 3339 in UTC with microseconds, e.g. "2026-02-03T04:05:06.000007Z".
std::string FormatTimestamp(Timestamp time);

}  // namespace vernier

#endif  // VERNIER_BASE_CLOCK_H_
