#ifndef VERNIER_ACCESS_PRINCIPAL_H_
#define VERNIER_ACCESS_PRINCIPAL_H_

#include <vernier/v1/permission.pb.h>

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "store/access/token_store.h"
#include "study/ids.h"

namespace vernier {

/// The caller of a method, as the listener has identified it.
struct Principal {
  enum class Role { kAdmin, kProjectWrite, kProjectRead, kAttempt };

  Role role = Role::kProjectRead;
  std::string project;   ///< The only one it may touch; empty for kAdmin.
  bool may_run = false;  ///< Whether it may choose what is executed.
  std::string name;      ///< For logs: "socket", or a token's id.
  std::optional<AttemptKey> attempt =
      std::nullopt;  ///< Whose token it is, of kAttempt.
};

/// Returns the principal of calls by the unix socket, whose file permissions
/// are the check.
Principal SocketPrincipal();
Principal PrincipalOf(const TokenRecord& token);

/// Returns whether the principal has the permission. This is the only rule
/// about permissions. PERMISSION_UNSPECIFIED is granted to nobody. Pure.
bool HasPermission(const Principal& principal, v1::Permission permission);

/// Returns OK, or PERMISSION_DENIED with a message that names the missing
/// permission.
absl::Status CheckPermission(const Principal& principal,
                             v1::Permission permission);

/// Returns OK, or NOT_FOUND as for a project that does not exist: callers
/// without access must not learn what exists.
absl::Status CheckProject(const Principal& principal,
                          const std::string& project);

}  // namespace vernier

#endif  // VERNIER_ACCESS_PRINCIPAL_H_
