#ifndef VERNIER_EDGE_GRPC_CALL_GATE_H_
#define VERNIER_EDGE_GRPC_CALL_GATE_H_

#include <grpcpp/server_context.h>

#include <functional>
#include <string_view>

#include "absl/status/statusor.h"
#include "access/authenticator.h"
#include "access/principal.h"
#include "access/rate_limiter.h"

namespace vernier {

/// Who may make which gRPC call. Whoever comes by the unix socket could open
/// it; everybody else shows a token in the metadata, "authorization: Bearer
/// ...". Thread-safe.
class CallGate {
 public:
  /// Borrows `authenticator` and `limiter`, which is for those who show a
  /// token; they must outlive this object.
  CallGate(const Authenticator& authenticator, RateLimiter& limiter)
      : authenticator_(authenticator), limiter_(limiter) {}

  /// The caller, if it may make the call whose request is of this type; each of
  /// our methods has a request type of its own.
  ///
  /// Errors: UNAUTHENTICATED; RESOURCE_EXHAUSTED for too many calls;
  /// PERMISSION_DENIED, also for a method whose .proto names no permission.
  absl::StatusOr<Principal> Admit(
      const grpc::ServerContextBase& context,
      const google::protobuf::Descriptor* request) const;

  /// Whether whoever made a call may still make it, for calls that last: OK
  /// until the token is revoked or expires, then UNAUTHENTICATED. Any thread;
  /// must not outlive this object.
  std::function<absl::Status()> Watch(
      const grpc::ServerContextBase& context) const;

 private:
  const Authenticator& authenticator_;
  RateLimiter& limiter_;
};

/// What the method of our services that takes this request needs;
/// PERMISSION_UNSPECIFIED if there is none.
v1::Permission PermissionOfRequest(const google::protobuf::Descriptor* request);

}  // namespace vernier

#endif  // VERNIER_EDGE_GRPC_CALL_GATE_H_
