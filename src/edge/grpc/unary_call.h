#ifndef VERNIER_EDGE_GRPC_UNARY_CALL_H_
#define VERNIER_EDGE_GRPC_UNARY_CALL_H_

#include <google/protobuf/message.h>
#include <grpcpp/generic/async_generic_service.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "base/clock.h"
#include "base/contained_call.h"
#include "base/thread_pool.h"
#include "edge/call_activity.h"
#include "edge/call_budget.h"
#include "edge/call_record.h"
#include "edge/grpc/message_bytes.h"
#include "edge/load_limiter.h"

namespace vernier {

/// A call that may begin.
struct BegunCall {
  CallRecord record;  ///< As BeginRecord made it, with the principal.
  /// The share that its caller may use; null for a trusted caller.
  std::unique_ptr<LoadLimiter::Share> share = nullptr;
  bool changes_nothing = false;

  /// Returns the caller that the work belongs to, for ThreadPool::Run.
  const std::string& caller() const;
};

/// A call of an admitted caller with one request and one response. The request
/// is read after this object is made, and parsed and answered on a thread of
/// the pool. It is refused before anything is made if there is no room for an
/// answer, and its work has a CallBudget.
class UnaryCall final : public grpc::ServerGenericBidiReactor {
 public:
  /// Call it once, from any thread.
  using Done = std::function<void(absl::Status)>;
  /// Both messages live until the work calls `done`.
  using Work =
      std::function<void(google::protobuf::Message* request,
                         google::protobuf::Message* response, Done done)>;
  struct Parts {
    ThreadPool& pool;
    CallActivity& activity;
  };

  /// Both messages are empty and of the method's types. Borrows the objects
  /// that `parts` refers to, which must outlive the call. The result belongs to
  /// gRPC.
  static UnaryCall* Start(const Parts& parts, BegunCall call,
                          const MessageLimits& limits,
                          std::unique_ptr<google::protobuf::Message> request,
                          std::unique_ptr<google::protobuf::Message> response,
                          Work work);

  void OnReadDone(bool ok) override;
  void OnCancel() override { budget_.Abandon(); }
  void OnDone() override { delete this; }

 private:
  UnaryCall(const Parts& parts, BegunCall call, const MessageLimits& limits,
            std::unique_ptr<google::protobuf::Message> request,
            std::unique_ptr<google::protobuf::Message> response, Work work);

  void Run();
  absl::Status Admit();
  void End(const absl::Status& status);
  void NameSubject();

  const Parts parts_;
  BegunCall call_;  // Its share goes last, after what it stands for.
  CallBudget budget_;
  const MessageLimits limits_;
  std::unique_ptr<google::protobuf::Message> request_;
  std::unique_ptr<google::protobuf::Message> response_;
  const Work work_;
  SteadyTime began_{};  // Once the message came.
  grpc::ByteBuffer received_;
  grpc::ByteBuffer sent_;
};

/// Wraps work that is finished when it returns; it is contained, see
/// RunContained.
template <typename Request, typename Response, typename Handle>
UnaryCall* StartUnaryCall(const UnaryCall::Parts& parts, BegunCall&& call,
                          const MessageLimits& limits, Handle handle) {
  return UnaryCall::Start(
      parts, std::move(call), limits, std::make_unique<Request>(),
      std::make_unique<Response>(),
      [handle = std::move(handle)](google::protobuf::Message* request,
                                   google::protobuf::Message* response,
                                   const UnaryCall::Done& done) {
        done(RunContained([&] {
          return handle(static_cast<Request*>(request),
                        static_cast<Response*>(response));
        }));
      });
}

}  // namespace vernier

#endif  // VERNIER_EDGE_GRPC_UNARY_CALL_H_
