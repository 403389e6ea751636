#ifndef VERNIER_EDGE_GRPC_GATED_METHODS_H_
#define VERNIER_EDGE_GRPC_GATED_METHODS_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "access/method_permission.h"
#include "access/principal.h"
#include "access/request_names.h"
#include "base/status_macros.h"
#include "base/thread_pool.h"
#include "edge/call_activity.h"
#include "edge/call_record.h"
#include "edge/grpc/call_gate.h"
#include "edge/grpc/call_head.h"
#include "edge/grpc/grpc_methods.h"
#include "edge/grpc/pumped_writer.h"
#include "edge/grpc/stream_pump.h"
#include "edge/grpc/unary_call.h"
#include "edge/load_limiter.h"

namespace vernier {

/// The steps that every call of a gated service shares.
struct GatedCalls {
  const CallGate& gate;
  ThreadPool& pool;
  StreamPump& pump;
  CallActivity& activity;
  LoadLimiter& load;
};

/// The result of a call's headers.
struct AdmittedCall {
  BegunCall call;
  /// The result of CallGate::Admit, or why the call may not begin now.
  absl::StatusOr<Principal> caller;
};

/// Returns the share of the service that the caller may use. The owner, who
/// calls by the socket, is not limited.
inline absl::StatusOr<std::unique_ptr<LoadLimiter::Share>> ShareOf(
    LoadLimiter& load, const Principal& caller) {
  if (caller.name == SocketPrincipal().name) return nullptr;
  return load.Admit(caller.name);
}

inline AdmittedCall Admit(const GatedCalls& calls,
                          GrpcMethods::Context* context,
                          const google::protobuf::Descriptor* request) {
  BegunCall call{BeginRecord(context, calls.activity)};
  absl::StatusOr<Principal> caller = calls.gate.Admit(*context, request);
  if (!caller.ok()) return {std::move(call), std::move(caller)};
  call.record.principal = caller->name;
  call.changes_nothing = PermissionOfRequest(request) == v1::READ;
  auto share = ShareOf(calls.load, *caller);
  if (!share.ok()) return {std::move(call), share.status()};
  call.share = *std::move(share);
  return {std::move(call), std::move(caller)};
}

/// A stream that ends when its caller loses the permission for it.
template <typename Message>
class AdmittedSource final : public MessageSource<Message> {
 public:
  AdmittedSource(std::unique_ptr<MessageSource<Message>> source,
                 std::function<absl::Status()> admitted)
      : source_(std::move(source)), admitted_(std::move(admitted)) {}
  std::optional<absl::Status> Next(std::deque<Message>* messages) override {
    if (absl::Status status = admitted_(); !status.ok()) return status;
    return source_->Next(messages);
  }

 private:
  const std::unique_ptr<MessageSource<Message>> source_;
  const std::function<absl::Status()> admitted_;
};

// GCC 12's UBSan reads an unset copy of `this` in a call through a pointer to a
// member, so handlers are held by reference.

/// Adds the methods of a service behind the gate to a table. A call is either
/// refused at its headers, or its handler gets the request with complete names,
/// all of which belong to the caller.
template <typename Handlers>
class GatedService {
 public:
  /// Borrows everything except `service` ("package.Service"). The objects that
  /// `calls` refers to and `handlers` must outlive every call.
  GatedService(const std::string& service, Handlers& handlers,
               const GatedCalls& calls, GrpcMethods* methods)
      : prefix_(absl::StrCat("/", service, "/")),
        handlers_(handlers),
        calls_(calls),
        methods_(*methods) {}

  template <typename Request, typename Response>
  GatedService& Unary(const std::string& method,
                      absl::Status (Handlers::*handler)(const Request&,
                                                        Response*),
                      const MessageLimits& limits = {}) {
    methods_.Add(
        absl::StrCat(prefix_, method),
        [calls = calls_, &handlers = handlers_, handler,
         limits](GrpcMethods::Context* context) -> GrpcMethods::Reactor* {
          auto [call, caller] = Admit(calls, context, Request::descriptor());
          if (!caller.ok()) {
            return Refuse(calls.activity, std::move(call.record),
                          caller.status());
          }
          return StartUnaryCall<Request, Response>(
              {calls.pool, calls.activity}, std::move(call), limits,
              [&handlers, handler, caller = *caller](
                  Request* request, Response* response) -> absl::Status {
                VERNIER_RETURN_IF_ERROR(NameInFull(caller, request));
                return (handlers.*handler)(*request, response);
              });
        });
    return *this;
  }

  /// Adds a method for the program of an attempt: the request names nothing,
  /// since the token identifies the attempt.
  template <typename Request, typename Response>
  GatedService& OfAttempt(const std::string& method,
                          absl::Status (Handlers::*handler)(const AttemptKey&,
                                                            const Request&,
                                                            Response*),
                          const MessageLimits& limits = {}) {
    methods_.Add(
        absl::StrCat(prefix_, method),
        [calls = calls_, &handlers = handlers_, handler,
         limits](GrpcMethods::Context* context) -> GrpcMethods::Reactor* {
          auto [call, caller] = Admit(calls, context, Request::descriptor());
          if (!caller.ok()) {
            return Refuse(calls.activity, std::move(call.record),
                          caller.status());
          }
          if (!caller->attempt.has_value()) {
            return Refuse(
                calls.activity, std::move(call.record),
                absl::PermissionDeniedError(
                    "only the program of a trial may call this, with its "
                    "attempt's token ($VERNIER_ATTEMPT_TOKEN)"));
          }
          return StartUnaryCall<Request, Response>(
              {calls.pool, calls.activity}, std::move(call), limits,
              [&handlers, handler, attempt = *caller->attempt](
                  Request* request, Response* response) -> absl::Status {
                return (handlers.*handler)(attempt, *request, response);
              });
        });
    return *this;
  }

  /// Adds a method that streams from Source::Create(origin, request). Borrows
  /// `origin`.
  template <typename Source, typename Request, typename Origin>
  GatedService& Stream(const std::string& method, Origin& origin) {
    using Message = typename Source::MessageType;
    methods_.Add(
        absl::StrCat(prefix_, method),
        [calls = calls_,
         &origin](GrpcMethods::Context* context) -> GrpcMethods::Reactor* {
          auto [call, caller] = Admit(calls, context, Request::descriptor());
          if (!caller.ok()) {
            return Refuse(calls.activity, std::move(call.record),
                          caller.status());
          }
          if (call.share != nullptr) {
            const absl::Status stream = call.share->BecomeStream();
            if (!stream.ok()) {
              return Refuse(calls.activity, std::move(call.record), stream);
            }
          }
          using Created =
              absl::StatusOr<std::unique_ptr<MessageSource<Message>>>;
          return PumpedWriter<Message>::Start(
              calls.pump, calls.activity, std::move(call),
              [&origin, caller = *caller,
               admitted = calls.gate.Watch(*context)](
                  const grpc::ByteBuffer& bytes) -> Created {
                Request request;
                VERNIER_RETURN_IF_ERROR(ParseMessage(bytes, {}, &request));
                VERNIER_RETURN_IF_ERROR(NameInFull(caller, &request));
                VERNIER_ASSIGN_OR_RETURN(auto source,
                                         Source::Create(origin, request));
                return std::make_unique<AdmittedSource<Message>>(
                    std::move(source), admitted);
              });
        });
    return *this;
  }

 private:
  const std::string prefix_;
  Handlers& handlers_;
  const GatedCalls calls_;
  GrpcMethods& methods_;
};

}  // namespace vernier

#endif  // VERNIER_EDGE_GRPC_GATED_METHODS_H_
