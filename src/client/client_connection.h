#ifndef VERNIER_CLIENT_CLIENT_CONNECTION_H_
#define VERNIER_CLIENT_CLIENT_CONNECTION_H_

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/support/status.h>
#include <grpcpp/support/sync_stream.h>

#include <functional>
#include <memory>
#include <string>
#include <type_traits>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "access/request_names.h"
#include "base/status_macros.h"
#include "client/client_credentials.h"
#include "edge/endpoint.h"
#include "edge/message_json.h"

namespace vernier {

/// A client's connection to the service, on behalf of one project. It calls any
/// method of a stub, e.g. `Call(&v1::JobService::Stub::GetJob, ...)`: the
/// caller includes that service's header, and this file includes none of them.
///
/// Calls block. A unary call has a deadline, and a stream has none. In each
/// request, plain names are completed by the caller's project. Errors are those
/// of the service; UNAVAILABLE, with the endpoint, if it cannot be reached.
/// Thread-safe.
class ClientConnection {
 public:
  /// Connects at the first call.
  explicit ClientConnection(
      const Endpoint& endpoint,
      const ClientCredentials& credentials = CredentialsOfEnvironment());

  template <typename Stub, typename Request, typename Response>
  absl::StatusOr<Response> Call(
      grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                   Response*),
      std::type_identity_t<Request> request) const {
    CompleteNames(project_, &request);
    grpc::ClientContext context;
    Authorize(&context);
    LimitTime(&context);
    Response response;
    const grpc::Status status =
        (Stub(channel_).*method)(&context, request, &response);
    if (!status.ok()) return Explain(status);
    return response;
  }

  /// Does the same as Call; the answer is in proto3's JSON form, one line.
  template <typename Stub, typename Request, typename Response>
  absl::StatusOr<std::string> CallForJson(
      grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                   Response*),
      std::type_identity_t<Request> request) const {
    VERNIER_ASSIGN_OR_RETURN(const Response response,
                             Call(method, std::move(request)));
    return JsonOf(response);
  }

  /// Passes the messages of a stream on one by one, until it ends or
  /// `on_message` returns false; both are OK.
  template <typename Stub, typename Request, typename Message>
  absl::Status Stream(
      std::unique_ptr<grpc::ClientReader<Message>> (Stub::*method)(
          grpc::ClientContext*, const Request&),
      std::type_identity_t<Request> request,
      const std::function<bool(const std::type_identity_t<Message>&)>&
          on_message) const {
    CompleteNames(project_, &request);
    grpc::ClientContext context;
    Authorize(&context);
    Stub stub(channel_);
    const auto reader = (stub.*method)(&context, request);
    Message message;
    while (reader->Read(&message)) {
      if (!on_message(message)) {
        context.TryCancel();
        reader->Finish();
        return absl::OkStatus();
      }
    }
    return Explain(reader->Finish());
  }

  /// Does the same as Stream; each message is in proto3's JSON form, one line.
  template <typename Stub, typename Request, typename Message>
  absl::Status StreamForJson(
      std::unique_ptr<grpc::ClientReader<Message>> (Stub::*method)(
          grpc::ClientContext*, const Request&),
      std::type_identity_t<Request> request,
      const std::function<bool(const std::string&)>& on_message) const {
    absl::Status printed;
    VERNIER_RETURN_IF_ERROR(
        Stream(method, std::move(request), [&](const Message& message) {
          const absl::StatusOr<std::string> json = JsonOf(message);
          printed = json.status();
          return json.ok() && on_message(*json);
        }));
    return printed;
  }

 private:
  /// Adds the token.
  void Authorize(grpc::ClientContext* context) const;
  /// Sets the deadline of a call that is answered once.
  static void LimitTime(grpc::ClientContext* context);
  /// Returns the error of a call; names the endpoint if that cannot be reached.
  absl::Status Explain(const grpc::Status& status) const;

  const std::string endpoint_;
  const std::string token_;
  const std::string project_;
  // Shared with the stubs and streams that gRPC makes of it.
  const std::shared_ptr<grpc::Channel> channel_;
};

}  // namespace vernier

#endif  // VERNIER_CLIENT_CLIENT_CONNECTION_H_
