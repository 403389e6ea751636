#ifndef VERNIER_EDGE_GRPC_CALL_GATE_H_
#define VERNIER_EDGE_GRPC_CALL_GATE_H_

#include <grpcpp/server_context.h>

#include <functional>
#include <string_view>

#include "absl/status/statusor.h"
#include "access/attempt_tokens.h"
#include "access/authenticator.h"
#include "access/principal.h"
#include "access/rate_limiter.h"

namespace vernier {

/// Decides who may make which gRPC call. Callers by the unix socket are
/// trusted, because its file permissions were the check; all others send a
/// token in the metadata, "authorization: Bearer ...". A caller that sends the
/// token of an attempt counts as that attempt, even by the socket. Thread-safe.
class CallGate {
 public:
  /// Borrows all; they must outlive this object. `limiter` applies to callers
  /// with a token.
  CallGate(const Authenticator& authenticator, const AttemptTokens& attempts,
           RateLimiter& limiter)
      : authenticator_(authenticator), attempts_(attempts), limiter_(limiter) {}

  /// Returns the caller if it may make the call with this type of request; each
  /// method of this service has its own request type.
  ///
  /// Errors: UNAUTHENTICATED; RESOURCE_EXHAUSTED for too many calls;
  /// PERMISSION_DENIED, also for a method whose .proto names no permission.
  absl::StatusOr<Principal> Admit(
      const grpc::ServerContextBase& context,
      const google::protobuf::Descriptor* request) const;

  /// Returns a function with which long calls check whether the caller may
  /// still make them: OK until the token is revoked or expires, then
  /// UNAUTHENTICATED. Any thread; must not outlive this object.
  std::function<absl::Status()> Watch(
      const grpc::ServerContextBase& context) const;

 private:
  absl::StatusOr<Principal> Authenticate(std::string_view token) const;

  const Authenticator& authenticator_;
  const AttemptTokens& attempts_;
  RateLimiter& limiter_;
};

}  // namespace vernier

#endif  // VERNIER_EDGE_GRPC_CALL_GATE_H_
