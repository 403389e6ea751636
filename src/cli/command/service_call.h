#ifndef VERNIER_CLI_COMMAND_SERVICE_CALL_H_
#define VERNIER_CLI_COMMAND_SERVICE_CALL_H_

#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/statusor.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cli/command/invocation.h"
#include "client/client_connection.h"

namespace vernier {

/// Calls a method of the service and returns its answer as JSON.
template <typename Stub, typename Request, typename Response>
absl::StatusOr<Json> Ask(const ClientConnection& client,
                         grpc::Status (Stub::*method)(grpc::ClientContext*,
                                                      const Request&,
                                                      Response*),
                         std::type_identity_t<Request> request) {
  VERNIER_ASSIGN_OR_RETURN(const std::string answer,
                           client.CallForJson(method, std::move(request)));
  return ParseJson(answer);
}

/// Does the same with the service that the flags name. For verbs that check
/// their words first, and make one call.
template <typename Stub, typename Request, typename Response>
absl::StatusOr<Json> Ask(Invocation& invocation,
                         grpc::Status (Stub::*method)(grpc::ClientContext*,
                                                      const Request&,
                                                      Response*),
                         std::type_identity_t<Request> request) {
  VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client, invocation.Client());
  return Ask(*client, method, std::move(request));
}

/// Calls ClientConnection::CallForJson of the service that the flags name. For
/// verbs that make one call.
template <typename Stub, typename Request, typename Response>
absl::StatusOr<std::string> CallForJson(
    Invocation& invocation,
    grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                 Response*),
    std::type_identity_t<Request> request) {
  VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client, invocation.Client());
  return client->CallForJson(method, std::move(request));
}

}  // namespace vernier

#endif  // VERNIER_CLI_COMMAND_SERVICE_CALL_H_
