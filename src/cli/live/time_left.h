#ifndef VERNIER_CLI_LIVE_TIME_LEFT_H_
#define VERNIER_CLI_LIVE_TIME_LEFT_H_

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace vernier {

/// Estimates when a job will be done from the durations of its last trials. Not
/// thread-safe.
class TimeLeft {
 public:
  using Seconds = std::chrono::duration<double>;

  /// Takes the duration of a trial that completed.
  void Add(Seconds length);

  /// Returns the time left for `waiting` trials that have not begun and some
  /// that have run for `ages`, `slots` at a time; nullopt until a trial has
  /// ended, and if nothing is left.
  std::optional<std::chrono::seconds> Estimate(std::int64_t waiting,
                                               const std::vector<Seconds>& ages,
                                               std::int64_t slots) const;

 private:
  std::deque<Seconds> lengths_;
};

}  // namespace vernier

#endif  // VERNIER_CLI_LIVE_TIME_LEFT_H_
