#ifndef VERNIER_ACCESS_PRINCIPAL_H_
#define VERNIER_ACCESS_PRINCIPAL_H_

#include <vernier/v1/permission.pb.h>

#include <string>

#include "absl/status/status.h"
#include "store/access/token_store.h"

namespace vernier {

/// Who calls, as far as a face could tell.
struct Principal {
  enum class Role { kAdmin, kProjectWrite, kProjectRead, kAttempt };

  Role role = Role::kProjectRead;
  std::string project;   ///< The only one it may touch; empty for kAdmin.
  bool may_run = false;  ///< Whether it may say what is executed.
  std::string name;      ///< For logs: "socket", or a token's id.
};

/// Whoever can open the unix socket: the file's mode was the check.
Principal SocketPrincipal();
Principal PrincipalOf(const TokenRecord& token);

/// The one rule of who may do what. PERMISSION_UNSPECIFIED is nobody's. Pure.
bool HasPermission(const Principal& principal, v1::Permission permission);

/// OK, or PERMISSION_DENIED in words that say what is missing.
absl::Status CheckPermission(const Principal& principal,
                             v1::Permission permission);

/// OK, or NOT_FOUND, as for a project that is not there: who may not look shall
/// not learn what exists.
absl::Status CheckProject(const Principal& principal,
                          const std::string& project);

}  // namespace vernier

#endif  // VERNIER_ACCESS_PRINCIPAL_H_
