#ifndef VERNIER_EDGE_CALL_STATISTICS_H_
#define VERNIER_EDGE_CALL_STATISTICS_H_

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "base/mutex.h"
#include "edge/call_record.h"

namespace vernier {

/// Counts how many calls ended with which code, and how long they took.
/// Thread-safe; costs a short lock. Codes come from a fixed set, so it stays
/// small.
class CallStatistics {
 public:
  /// The upper bounds of the buckets of durations; longer ones are in no
  /// bucket.
  static constexpr std::array<std::chrono::microseconds, 9> kBuckets = {
      std::chrono::microseconds(500),     std::chrono::microseconds(2000),
      std::chrono::microseconds(10000),   std::chrono::microseconds(50000),
      std::chrono::microseconds(200000),  std::chrono::microseconds(1000000),
      std::chrono::microseconds(5000000), std::chrono::microseconds(20000000),
      std::chrono::microseconds(60000000)};

  /// Calls of one transport.
  struct Of {
    std::map<std::string, std::uint64_t> by_code;
    /// The number of calls in each bucket, without those in the buckets before
    /// it.
    std::array<std::uint64_t, kBuckets.size()> in_bucket{};
    std::uint64_t count = 0;
    std::chrono::microseconds total{0};
  };

  /// `code`: a status of HTTP ("404") or gRPC ("NOT_FOUND").
  void Add(Transport transport, const std::string& code,
           std::chrono::microseconds lasted) {
    MutexLock lock(mu_);
    Of& calls = calls_[transport];
    ++calls.by_code[code];
    ++calls.count;
    calls.total += lasted;
    for (std::size_t i = 0; i < kBuckets.size(); ++i) {
      if (lasted > kBuckets[i]) continue;
      ++calls.in_bucket[i];
      break;
    }
  }

  std::map<Transport, Of> Read() const {
    MutexLock lock(mu_);
    return calls_;
  }

 private:
  mutable Mutex mu_;
  std::map<Transport, Of> calls_ VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_EDGE_CALL_STATISTICS_H_
