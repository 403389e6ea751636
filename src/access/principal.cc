#include "access/principal.h"

#include "absl/strings/str_cat.h"

namespace vernier {

Principal SocketPrincipal() {
  return {Principal::Role::kAdmin, "", true, "socket"};
}

Principal PrincipalOf(const TokenRecord& token) {
  Principal principal;
  switch (token.scope) {
    case TokenScope::kAdmin:
      principal.role = Principal::Role::kAdmin;
      break;
    case TokenScope::kProjectWrite:
      principal.role = Principal::Role::kProjectWrite;
      break;
    case TokenScope::kProjectRead:
      principal.role = Principal::Role::kProjectRead;
      break;
  }
  principal.project = token.project;
  principal.may_run = token.may_run;
  principal.name = token.id;
  return principal;
}

bool HasPermission(const Principal& principal, v1::Permission permission) {
  using Role = Principal::Role;
  const Role role = principal.role;
  switch (permission) {
    case v1::READ:
    case v1::READ_OBJECTS:
      return role != Role::kAttempt || permission == v1::READ_OBJECTS;
    case v1::WRITE:
      return role == Role::kAdmin || role == Role::kProjectWrite;
    case v1::WRITE_OBJECTS:
      return role != Role::kProjectRead;
    case v1::RUN:
      return role == Role::kAdmin ||
             (role == Role::kProjectWrite && principal.may_run);
    case v1::REPORT:
      return role == Role::kAdmin || role == Role::kAttempt;
    case v1::ADMINISTER:
      return role == Role::kAdmin;
    default:
      return false;
  }
}

namespace {

const char* ScopeThatHas(v1::Permission permission) {
  if (permission == v1::ADMINISTER) return "admin";
  return permission == v1::RUN ? "project-write with --may-run"
                               : "project-write";
}

}  // namespace

absl::Status CheckPermission(const Principal& principal,
                             v1::Permission permission) {
  if (HasPermission(principal, permission)) return absl::OkStatus();
  if (permission == v1::RUN &&
      principal.role == Principal::Role::kProjectWrite) {
    return absl::PermissionDeniedError(
        absl::StrCat("token ", principal.name,
                     " may not say what is executed; an administrator can make "
                     "one that may: vernier tokens create --may-run"));
  }
  return absl::PermissionDeniedError(
      absl::StrCat("token ", principal.name, " lacks the permission ",
                   v1::Permission_Name(permission), ": it takes one of scope ",
                   ScopeThatHas(permission),
                   ", which an administrator can make with vernier tokens "
                   "create"));
}

absl::Status CheckProject(const Principal& principal,
                          const std::string& project) {
  if (principal.role == Principal::Role::kAdmin ||
      principal.project == project) {
    return absl::OkStatus();
  }
  return absl::NotFoundError(
      absl::StrCat("there is no project \"", project, "\""));
}

}  // namespace vernier
