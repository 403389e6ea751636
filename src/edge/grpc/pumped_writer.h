#ifndef VERNIER_EDGE_GRPC_PUMPED_WRITER_H_
#define VERNIER_EDGE_GRPC_PUMPED_WRITER_H_

#include <grpcpp/generic/async_generic_service.h>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/contained_call.h"
#include "base/mutex.h"
#include "edge/call_activity.h"
#include "edge/call_record.h"
#include "edge/grpc/call_head.h"
#include "edge/grpc/grpc_status.h"
#include "edge/grpc/message_bytes.h"
#include "edge/grpc/stream_pump.h"
#include "edge/grpc/unary_call.h"

namespace vernier {

/// Source of the messages of a stream. Called by the pump's thread only.
template <typename Message>
class MessageSource {
 public:
  using MessageType = Message;

  virtual ~MessageSource() = default;

  /// Appends the next few messages, some 100 KiB at most, to the empty
  /// `messages`; none if there are none now. Returns the status with which the
  /// stream ends, or nullopt if it continues.
  virtual std::optional<absl::Status> Next(std::deque<Message>* messages) = 0;

  /// Returns whether to call Next again at once after it had nothing, since it
  /// has only begun its search; otherwise it is called when something may have
  /// come.
  virtual bool is_busy() const { return false; }
};

/// Reads the one request of a call and sends the messages of a MessageSource
/// for it. One message is sent at a time, and the source is asked only after
/// all earlier ones were sent. So a client that does not read costs a bounded
/// amount of memory and blocks nobody.
///
/// It lives until both gRPC (OnDone) and the pump have released it.
template <typename Message>
class PumpedWriter final : public grpc::ServerGenericBidiReactor,
                           public PumpedStream {
 public:
  using Source = std::unique_ptr<MessageSource<Message>>;
  /// Makes the source from the request; its error ends the call.
  using MakeSource =
      std::function<absl::StatusOr<Source>(const grpc::ByteBuffer& request)>;

  /// Begins a call; the result belongs to gRPC. `pump` and `activity` must
  /// outlive it.
  static PumpedWriter* Start(StreamPump& pump, CallActivity& activity,
                             BegunCall call, MakeSource make_source) {
    auto writer = std::shared_ptr<PumpedWriter>(new PumpedWriter(
        pump, activity, std::move(call), std::move(make_source)));
    PumpedWriter* reactor = writer.get();
    reactor->self_ = std::move(writer);
    reactor->began_ = activity.Begin();
    reactor->StartRead(&reactor->request_);
    return reactor;
  }

  void OnReadDone(bool ok) override {
    absl::Status status = absl::InvalidArgumentError("the call has no request");
    if (ok) {
      status = RunContained([this]() -> absl::Status {
        absl::StatusOr<Source> source = make_source_(request_);
        if (!source.ok()) return source.status();
        source_ = *std::move(source);
        return absl::OkStatus();
      });
    }
    request_.Clear();
    Step step;
    {
      MutexLock lock(mu_);
      is_begun_ = true;
      if (!status.ok() && !end_.has_value()) end_ = status;
      status = end_.value_or(absl::OkStatus());
      if (!status.ok()) step = NextStep();
    }
    if (status.ok()) {
      pump_.Add(self_);
    } else {
      Take(step);
    }
  }

  void Pump() override {
    {
      MutexLock lock(mu_);
      if (sending_ || finished_ || end_.has_value()) return;
    }
    // While nothing is being sent, no other thread uses the queue.
    std::optional<absl::Status> end;
    const absl::Status contained = RunContained([this, &end] {
      end = source_->Next(&queue_);
      return absl::OkStatus();
    });
    if (!contained.ok()) end = contained;
    Step step;
    bool is_busy = false;
    {
      MutexLock lock(mu_);
      if (!end_.has_value()) end_ = std::move(end);
      if (finished_) return;
      sending_ = !queue_.empty() && !cancelled_;
      step = NextStep();
      is_busy = !sending_ && !finished_ && source_->is_busy();
    }
    Take(step);
    if (is_busy) pump_.Poke();
  }

  bool is_finished() const override {
    MutexLock lock(mu_);
    return finished_;
  }

  void Stop() override {
    Step step;
    {
      MutexLock lock(mu_);
      cancelled_ = true;
      end_ = absl::UnavailableError("the service is stopping");
      if (sending_ || finished_) return;
      step = NextStep();
    }
    Take(step);
  }

  void OnWriteDone(bool ok) override {
    bool is_empty = false;
    Step step;
    {
      MutexLock lock(mu_);
      queue_.pop_front();
      if (!ok && !end_.has_value()) end_ = absl::CancelledError("cut off");
      if (!ok) cancelled_ = true;
      is_empty = queue_.empty();
      sending_ = !is_empty && !cancelled_;
      step = NextStep();
    }
    Take(step);
    if (is_empty) pump_.Poke();
  }

  void OnCancel() override {
    Step step;
    {
      MutexLock lock(mu_);
      cancelled_ = true;
      if (!end_.has_value()) end_ = absl::CancelledError("cancelled");
      // The running read or write fails now, and its callback ends the call.
      if (!is_begun_ || sending_ || finished_) return;
      step = NextStep();
    }
    Take(step);
  }

  void OnDone() override {
    activity_.EndStream(began_, std::move(call_.record));
    const std::shared_ptr<PumpedWriter> last = std::move(self_);
  }

 private:
  PumpedWriter(StreamPump& pump, CallActivity& activity, BegunCall call,
               MakeSource make_source)
      : pump_(pump),
        activity_(activity),
        call_(std::move(call)),
        make_source_(std::move(make_source)) {}

  /// The step that the caller, and nobody else, must take once it has released
  /// the lock.
  struct Step {
    const Message* message = nullptr;  // To be sent.
    std::optional<absl::Status> end;   // With which the call ends.
  };

  /// Returns the step that follows from a change, decided under the lock of
  /// that change. Otherwise the pump, once the queue is empty, may begin a
  /// write that this thread would then begin again, and gRPC aborts the
  /// process.
  Step NextStep() VERNIER_REQUIRES(mu_) {
    Step step;
    if (finished_) return step;
    if (sending_) {
      step.message = &queue_.front();
    } else if (end_.has_value()) {
      finished_ = true;
      step.end = end_;
    }
    return step;
  }

  /// Takes a step without the lock, because gRPC may call back at once.
  void Take(const Step& step) {
    if (step.message != nullptr) Send(*step.message);
    if (step.end.has_value()) Finish(*step.end);
  }

  /// Called once. OnDone follows, on any thread.
  void Finish(const absl::Status& status) {
    SetEnd(status, &call_.record);
    grpc::ServerGenericBidiReactor::Finish(ToGrpc(status));
  }

  void Send(const Message& message) {
    absl::StatusOr<grpc::ByteBuffer> bytes = SerializeMessage(message);
    if (!bytes.ok()) {
      {
        MutexLock lock(mu_);
        sending_ = false;
        finished_ = true;
      }
      Finish(bytes.status());
      return;
    }
    sent_ = *std::move(bytes);
    this->StartWrite(&sent_);
  }

  StreamPump& pump_;
  CallActivity& activity_;
  BegunCall call_;
  SteadyTime began_{};
  const MakeSource make_source_;
  grpc::ByteBuffer request_;
  Source source_;                       // Pump's thread only, once begun.
  std::shared_ptr<PumpedWriter> self_;  // Keeps this alive until OnDone.
  std::deque<Message> queue_;  // The pump's while nothing is being sent.
  grpc::ByteBuffer sent_;      // The message that is being sent.

  mutable Mutex mu_;
  bool is_begun_ VERNIER_GUARDED_BY(mu_) = false;
  bool sending_ VERNIER_GUARDED_BY(mu_) = false;
  bool cancelled_ VERNIER_GUARDED_BY(mu_) = false;
  bool finished_ VERNIER_GUARDED_BY(mu_) = false;
  std::optional<absl::Status> end_ VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_EDGE_GRPC_PUMPED_WRITER_H_
