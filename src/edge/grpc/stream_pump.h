#ifndef VERNIER_EDGE_GRPC_STREAM_PUMP_H_
#define VERNIER_EDGE_GRPC_STREAM_PUMP_H_

#include <chrono>
#include <condition_variable>
#include <memory>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace vernier {

/// A stream that the pump drives.
class PumpedStream {
 public:
  virtual ~PumpedStream() = default;

  /// Checks for messages and begins to send one; returns at once if one is
  /// still being sent. Called by the pump's thread only.
  virtual void Pump() = 0;

  /// Returns true once nothing more will be sent. Any thread.
  virtual bool is_finished() const = 0;

  /// Ends the stream because the service stops. Any thread.
  virtual void Stop() = 0;
};

/// One thread that drives all streams, so that a thousand watchers do not need
/// a thousand threads, and a slow one blocks nobody. Thread-safe.
class StreamPump {
 public:
  /// While there are streams, each is pumped at least every `period`.
  explicit StreamPump(std::chrono::milliseconds period);
  ~StreamPump();
  StreamPump(const StreamPump&) = delete;
  StreamPump& operator=(const StreamPump&) = delete;

  /// Shares the ownership of the stream until it is finished, since gRPC may
  /// release it while it is being pumped. After Stop, stops it at once.
  void Add(std::shared_ptr<PumpedStream> stream);

  /// Pumps all streams now, because there may be something to send.
  void Poke();

  /// Ends all streams, and every later one.
  void Stop();

 private:
  void Work();

  const std::chrono::milliseconds period_;
  Mutex mu_;
  std::condition_variable_any changed_;
  std::vector<std::shared_ptr<PumpedStream>> streams_ VERNIER_GUARDED_BY(mu_);
  bool poked_ VERNIER_GUARDED_BY(mu_) = false;
  bool stopped_ VERNIER_GUARDED_BY(mu_) = false;
  bool ending_ VERNIER_GUARDED_BY(mu_) = false;
  std::thread thread_;
};

}  // namespace vernier

#endif  // VERNIER_EDGE_GRPC_STREAM_PUMP_H_
