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

/// The principal of calls by the unix socket, whose file permissions are the
/// check.
Principal SocketPrincipal();
Principal PrincipalOf(const TokenRecord& token);

/// The one rule of who may do what. PERMISSION_UNSPECIFIED is granted to
/// nobody. Pure.
bool HasPermission(const Principal& principal, v1::Permission permission);

/// OK, or PERMISSION_DENIED with a message that names what is missing.
absl::Status CheckPermission(const Principal& principal,
                             v1::Permission permission);

/// OK, or NOT_FOUND as for a project that does not exist: callers who may not
/// look must not learn what exists.
absl::Status CheckProject(const Principal& principal,
                          const std::string& project);

}  // namespace vernier

#endif  // VERNIER_ACCESS_PRINCIPAL_H_
