#ifndef VERNIER_TELEMETRY_SPAN_EXPORTER_H_
#define VERNIER_TELEMETRY_SPAN_EXPORTER_H_

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "http/client/http_post.h"
#include "telemetry/otlp_settings.h"
#include "telemetry/span_queue.h"

namespace vernier {

/// Sends the spans of a queue to a collector, in batches. A batch that the
/// collector cannot take now is sent again, a little later each time, while
/// new spans wait in the queue; one that it refuses is dropped. Not
/// thread-safe: one thread owns it.
class SpanExporter {
 public:
  static constexpr std::size_t kBatch = 512;
  static constexpr std::chrono::milliseconds kPeriod{1000};
  static constexpr std::chrono::milliseconds kLongestWait{60000};

  /// Borrows all; they must outlive this object. `log` gets a line when the
  /// collector stops taking spans, and when it takes them again.
  SpanExporter(OtlpSettings settings, SpanQueue& queue, HttpPoster& poster,
               const Clock& clock, std::function<void(const std::string&)> log);

  /// Sends the waiting spans. Returns how long to wait for the next call.
  std::chrono::milliseconds Step();

  /// Sends the waiting spans once through `poster`, without a retry, for about
  /// `limit` at most: before the service ends. Spans that are not sent by then
  /// are dropped, and so are all if the collector was unreachable before.
  void Flush(HttpPoster& poster, std::chrono::milliseconds limit);

 private:
  enum class Result { kTaken, kLater, kRefused };

  Result Send(HttpPoster& poster, std::chrono::milliseconds limit);
  void TellTrouble(const std::string& why);

  const OtlpSettings settings_;
  SpanQueue& queue_;
  HttpPoster& poster_;
  const Clock& clock_;
  const std::function<void(const std::string&)> log_;
  std::vector<TraceSpan> batch_;       // That the collector could not take yet.
  std::chrono::milliseconds wait_{0};  // Before it is sent again.
  SteadyTime again_at_{};
  bool is_in_trouble_ = false;
};

}  // namespace vernier

#endif  // VERNIER_TELEMETRY_SPAN_EXPORTER_H_
