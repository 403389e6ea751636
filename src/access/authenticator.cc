#include "access/authenticator.h"

#include <optional>

#include "access/token_text.h"

namespace vernier {

absl::StatusOr<Principal> Authenticator::Authenticate(
    std::string_view token) const {
  std::optional<TokenRecord> found;
  if (!token.empty()) found = tokens_.Find(HashToken(token), clock_.Now());
  if (!found.has_value()) {
    return absl::UnauthenticatedError(
        token.empty()
            ? "the call needs a token: set VERNIER_TOKEN, or send "
              "\"Authorization: Bearer ...\"; who owns the service's data "
              "makes one with vernier tokens create"
            : "the token is not valid: it was mistyped, revoked, has expired, "
              "or is another service's; set VERNIER_TOKEN (\"Authorization: "
              "Bearer ...\") to one of vernier tokens list, or make a new one "
              "with vernier tokens create");
  }
  return PrincipalOf(*found);
}

}  // namespace vernier
