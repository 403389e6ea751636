#ifndef VERNIER_TELEMETRY_SPAN_QUEUE_H_
#define VERNIER_TELEMETRY_SPAN_QUEUE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "base/mutex.h"
#include "telemetry/span.h"

namespace vernier {

/// Spans between the threads that make them and the one that sends them. Adding
/// never waits: spans that do not fit are dropped and counted. Thread-safe.
class SpanQueue {
 public:
  explicit SpanQueue(std::size_t capacity = 4096) : capacity_(capacity) {}

  /// Returns how many spans wait now.
  std::size_t Add(TraceSpan span);
  /// Takes out the oldest spans, at most `most` of them.
  std::vector<TraceSpan> Take(std::size_t most);
  std::size_t size() const;

  struct Counts {
    std::uint64_t exported = 0;
    std::uint64_t dropped = 0;  ///< No room, or refused by the collector.
  };
  Counts counts() const;
  void CountExported(std::size_t spans);
  void CountDropped(std::size_t spans);

 private:
  const std::size_t capacity_;
  mutable Mutex mu_;
  std::deque<TraceSpan> spans_ VERNIER_GUARDED_BY(mu_);
  Counts counts_ VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_TELEMETRY_SPAN_QUEUE_H_
