#ifndef VERNIER_EDGE_GRPC_UNNAMED_METHODS_H_
#define VERNIER_EDGE_GRPC_UNNAMED_METHODS_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "edge/grpc/call_head.h"
#include "edge/grpc/grpc_methods.h"
#include "edge/grpc/transfer_limits.h"
#include "edge/grpc/unary_call.h"
#include "edge/load_limiter.h"

namespace vernier {

/// The steps that every call of a service of unnamed callers shares.
struct UnnamedCalls {
  UnaryCall::Parts parts;
  LoadLimiter& load;
  /// Returns why a caller may not call, by gRPC's name of it ("unix:" or
  /// "ipv4:127.0.0.1:5"), or OK. Any thread; must not wait.
  std::function<absl::Status(std::string_view peer)> admit;
  /// "Vizier's clients": the callers, in messages about their load.
  std::string callers;
  MessageLimits limits{kMaxReceivedBytes};
  /// Returns why this caller may not ask for what the request names, or OK.
  /// Empty: a caller that is admitted may ask for everything.
  std::function<absl::Status(std::string_view peer,
                             const google::protobuf::Message& request)>
      permit = {};

  absl::Status Permit(std::string_view peer,
                      const google::protobuf::Message& request) const {
    return permit == nullptr ? absl::OkStatus() : permit(peer, request);
  }
};

/// Stores in `call` the share of the service's load that the caller at `peer`
/// may use. Callers by the unix socket are trusted. Those by TCP have no names,
/// so those with the same address share its memory and threads; their requests
/// are not limited in number, since a thousand may wait for points.
absl::Status AddUnnamedShare(const std::string& peer, const UnnamedCalls& calls,
                             BegunCall* call);

/// Returns the id under which the call may be repeated; empty if it has none.
std::string RepeatIdOf(const GrpcMethods::Context& context);

/// Adds the unary methods of a service whose callers carry no token, because
/// their protocol has none, to a table. A call is refused at its headers, or
/// its handler gets the request. The counterpart of GatedService.
template <typename Handlers>
class UnnamedService {
 public:
  /// `service` is "package.Service". The objects that `calls` refers to and
  /// `handlers` must outlive every call.
  UnnamedService(const std::string& service, Handlers& handlers,
                 UnnamedCalls calls, GrpcMethods* methods)
      : prefix_(absl::StrCat("/", service, "/")),
        handlers_(handlers),
        calls_(std::move(calls)),
        methods_(*methods) {}

  template <typename Request, typename Response>
  UnnamedService& Unary(const std::string& method,
                        absl::Status (Handlers::*handler)(const Request&,
                                                          Response*)) {
    return Add(
        method, [calls = calls_, &handlers = handlers_, handler](
                    const GrpcMethods::Context& context, BegunCall&& call) {
          return StartUnaryCall<Request, Response>(
              calls.parts, std::move(call), calls.limits,
              [&handlers, handler, &calls = calls, peer = context.peer()](
                  Request* request, Response* response) -> absl::Status {
                VERNIER_RETURN_IF_ERROR(calls.Permit(peer, *request));
                return (handlers.*handler)(*request, response);
              });
        });
  }

  /// Adds a method whose calls may be repeated with the same id.
  template <typename Request, typename Response>
  UnnamedService& Unary(const std::string& method,
                        absl::Status (Handlers::*handler)(const Request&,
                                                          const std::string&,
                                                          Response*)) {
    return Add(method,
               [calls = calls_, &handlers = handlers_, handler](
                   const GrpcMethods::Context& context, BegunCall&& call) {
                 return StartUnaryCall<Request, Response>(
                     calls.parts, std::move(call), calls.limits,
                     [&handlers, handler, &calls = calls, peer = context.peer(),
                      id = RepeatIdOf(context)](
                         Request* request, Response* response) -> absl::Status {
                       VERNIER_RETURN_IF_ERROR(calls.Permit(peer, *request));
                       return (handlers.*handler)(*request, id, response);
                     });
               });
  }

  /// Adds a method that calls back when it is done, and holds no thread while
  /// it waits.
  template <typename Request, typename Response>
  UnnamedService& Unary(const std::string& method,
                        void (Handlers::*handler)(const Request&, Response*,
                                                  UnaryCall::Done)) {
    return Add(
        method, [calls = calls_, &handlers = handlers_, handler](
                    const GrpcMethods::Context& context, BegunCall&& call) {
          return UnaryCall::Start(
              calls.parts, std::move(call), calls.limits,
              std::make_unique<Request>(), std::make_unique<Response>(),
              [&handlers, handler, &calls = calls, peer = context.peer()](
                  google::protobuf::Message* request,
                  google::protobuf::Message* response, UnaryCall::Done done) {
                absl::Status permitted = calls.Permit(peer, *request);
                if (!permitted.ok()) return done(std::move(permitted));
                (handlers.*handler)(*static_cast<Request*>(request),
                                    static_cast<Response*>(response),
                                    std::move(done));
              });
        });
  }

 private:
  template <typename Begin>
  UnnamedService& Add(const std::string& method, Begin begin) {
    methods_.Add(absl::StrCat(prefix_, method),
                 [calls = calls_, begin](
                     GrpcMethods::Context* context) -> GrpcMethods::Reactor* {
                   CallActivity& activity = calls.parts.activity;
                   BegunCall call{BeginRecord(context, activity)};
                   const std::string peer = context->peer();
                   absl::Status admitted = calls.admit(peer);
                   if (admitted.ok()) {
                     admitted = AddUnnamedShare(peer, calls, &call);
                   }
                   if (admitted.ok()) return begin(*context, std::move(call));
                   return Refuse(activity, std::move(call.record), admitted);
                 });
    return *this;
  }

  const std::string prefix_;
  Handlers& handlers_;
  const UnnamedCalls calls_;
  GrpcMethods& methods_;
};

}  // namespace vernier

#endif  // VERNIER_EDGE_GRPC_UNNAMED_METHODS_H_
