#ifndef VERNIER_EDGE_GRPC_STREAM_PUMP_H_
#define VERNIER_EDGE_GRPC_STREAM_PUMP_H_

#include <chrono>
#include <condition_variable>
#include <memory>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace vernier {

/// A stream that the pump keeps going.
class PumpedStream {
 public:
  virtual ~PumpedStream() = default;

  /// Looks for something to send and begins to send it; returns at once if a
  /// message is still on its way. Called by the pump's thread only.
  virtual void Pump() = 0;

  /// True once nothing more will be sent. Any thread.
  virtual bool is_finished() const = 0;

  /// Ends the stream because the service stops. Any thread.
  virtual void Stop() = 0;
};

/// One thread that feeds all streams, so that a thousand watchers cost no
/// thousand threads and a slow one holds up nobody. Thread-safe.
class StreamPump {
 public:
  /// While there are streams, each is pumped at least every `period`.
  explicit StreamPump(std::chrono::milliseconds period);
  ~StreamPump();
  StreamPump(const StreamPump&) = delete;
  StreamPump& operator=(const StreamPump&) = delete;

  /// Shares the stream until it is finished: gRPC may be done with it while it
  /// is being pumped. After Stop, stops it at once.
  void Add(std::shared_ptr<PumpedStream> stream);

  /// Something may be there to send: pump all streams now.
  void Poke();

  /// Ends all streams, also those to come.
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
