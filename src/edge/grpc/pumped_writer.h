#ifndef VERNIER_EDGE_GRPC_PUMPED_WRITER_H_
#define VERNIER_EDGE_GRPC_PUMPED_WRITER_H_

#include <grpcpp/grpcpp.h>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "base/mutex.h"
#include "edge/contained_call.h"
#include "edge/grpc/grpc_status.h"
#include "edge/grpc/stream_pump.h"

namespace vernier {

/// Where the messages of a stream come from. Called by the pump's thread only.
template <typename Message>
class MessageSource {
 public:
  virtual ~MessageSource() = default;

  /// Appends the next few messages, some 100 KiB at most, to the empty
  /// `messages`; none if there is nothing now. Returns how the stream ended, or
  /// nullopt if it goes on.
  virtual std::optional<absl::Status> Next(std::deque<Message>* messages) = 0;
};

/// Sends what a MessageSource gives. One message is on its way at a time and
/// the source is asked only when all before were sent, so that a client that
/// does not read costs a bounded amount of memory and nobody's time.
///
/// Lives until both gRPC (OnDone) and the pump have let go of it.
template <typename Message>
class PumpedWriter final : public grpc::ServerWriteReactor<Message>,
                           public PumpedStream {
 public:
  /// Begins a stream; the result belongs to gRPC. `on_done` is called when the
  /// call is over. `pump` must outlive the call.
  static PumpedWriter* Start(StreamPump& pump,
                             std::unique_ptr<MessageSource<Message>> source,
                             std::function<void()> on_done) {
    auto writer = std::shared_ptr<PumpedWriter>(
        new PumpedWriter(pump, std::move(source), std::move(on_done)));
    writer->self_ = writer;
    PumpedWriter* reactor = writer.get();
    pump.Add(std::move(writer));
    return reactor;
  }

  void Pump() override {
    {
      MutexLock lock(mu_);
      if (sending_ || finished_ || end_.has_value()) return;
    }
    // Nobody else touches the queue while nothing is being sent.
    std::optional<absl::Status> end;
    const absl::Status contained = RunContained([this, &end] {
      end = source_->Next(&queue_);
      return absl::OkStatus();
    });
    if (!contained.ok()) end = contained;
    {
      MutexLock lock(mu_);
      if (!end_.has_value()) end_ = std::move(end);
      if (finished_) return;
      sending_ = !queue_.empty() && !cancelled_;
    }
    Advance();
  }

  bool is_finished() const override {
    MutexLock lock(mu_);
    return finished_;
  }

  void Stop() override {
    {
      MutexLock lock(mu_);
      cancelled_ = true;
      end_ = absl::UnavailableError("the service is stopping");
      if (sending_ || finished_) return;
    }
    Advance();
  }

  void OnWriteDone(bool ok) override {
    bool is_empty = false;
    {
      MutexLock lock(mu_);
      queue_.pop_front();
      if (!ok && !end_.has_value()) end_ = absl::CancelledError("cut off");
      if (!ok) cancelled_ = true;
      is_empty = queue_.empty();
      sending_ = !is_empty && !cancelled_;
    }
    Advance();
    if (is_empty) pump_.Poke();
  }

  void OnCancel() override {
    {
      MutexLock lock(mu_);
      cancelled_ = true;
      if (!end_.has_value()) end_ = absl::CancelledError("cancelled");
      // The write that is under way fails now and comes back.
      if (sending_ || finished_) return;
    }
    Advance();
  }

  void OnDone() override {
    on_done_();
    const std::shared_ptr<PumpedWriter> last = std::move(self_);
  }

 private:
  PumpedWriter(StreamPump& pump, std::unique_ptr<MessageSource<Message>> source,
               std::function<void()> on_done)
      : pump_(pump), source_(std::move(source)), on_done_(std::move(on_done)) {}

  /// Sends the next message, or ends the call if nothing is left to send. gRPC
  /// is called without the lock: it may call back at once.
  void Advance() {
    const Message* message = nullptr;
    std::optional<absl::Status> end;
    {
      MutexLock lock(mu_);
      if (finished_) return;
      if (sending_) {
        message = &queue_.front();
      } else if (end_.has_value()) {
        finished_ = true;
        end = end_;
      }
    }
    if (message != nullptr) this->StartWrite(message);
    if (end.has_value()) this->Finish(ToGrpc(*end));
  }

  StreamPump& pump_;
  const std::unique_ptr<MessageSource<Message>> source_;  // Pump's thread only.
  const std::function<void()> on_done_;
  std::shared_ptr<PumpedWriter> self_;  // Keeps this alive until OnDone.
  std::deque<Message> queue_;  // The pump's while nothing is being sent.

  mutable Mutex mu_;
  bool sending_ VERNIER_GUARDED_BY(mu_) = false;
  bool cancelled_ VERNIER_GUARDED_BY(mu_) = false;
  bool finished_ VERNIER_GUARDED_BY(mu_) = false;
  std::optional<absl::Status> end_ VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_EDGE_GRPC_PUMPED_WRITER_H_
