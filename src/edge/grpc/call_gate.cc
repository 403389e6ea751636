#include "edge/grpc/call_gate.h"

#include <string>
#include <string_view>

#include "access/method_permission.h"
#include "access/token_text.h"
#include "base/status_macros.h"
#include "edge/grpc/call_head.h"

namespace vernier {
namespace {

// Returns whether the call came by the unix socket, which only its owner can
// open.
bool IsOwner(const grpc::ServerContextBase& context) {
  return context.peer().rfind("unix:", 0) == 0;
}

}  // namespace

absl::StatusOr<Principal> CallGate::Authenticate(std::string_view token) const {
  return AttemptTokens::IsOne(token) ? attempts_.Authenticate(token)
                                     : authenticator_.Authenticate(token);
}

absl::StatusOr<Principal> CallGate::Admit(
    const grpc::ServerContextBase& context,
    const google::protobuf::Descriptor* request) const {
  Principal principal = SocketPrincipal();
  const std::string_view token =
      BearerToken(MetadataText(context, "authorization"));
  if (AttemptTokens::IsOne(token) || !IsOwner(context)) {
    VERNIER_ASSIGN_OR_RETURN(principal, Authenticate(token));
    VERNIER_RETURN_IF_ERROR(limiter_.Admit(principal.name));
  }
  VERNIER_RETURN_IF_ERROR(
      CheckPermission(principal, PermissionOfRequest(request)));
  return principal;
}

std::function<absl::Status()> CallGate::Watch(
    const grpc::ServerContextBase& context) const {
  if (IsOwner(context)) return [] { return absl::OkStatus(); };
  return [this, token = std::string(
                    BearerToken(MetadataText(context, "authorization")))] {
    return Authenticate(token).status();
  };
}

}  // namespace vernier
