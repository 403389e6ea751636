#ifndef VERNIER_ACCESS_AUTHENTICATOR_H_
#define VERNIER_ACCESS_AUTHENTICATOR_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "access/principal.h"
#include "base/clock.h"
#include "store/access/token_store.h"

namespace vernier {

/// Looks up the token of every call that carries one. Thread-safe.
class Authenticator {
 public:
  /// Borrows both; they must outlive this object.
  Authenticator(const TokenStore& tokens, const Clock& clock)
      : tokens_(tokens), clock_(clock) {}

  /// Returns the principal of a token. UNAUTHENTICATED if it is empty, unknown,
  /// revoked or expired; the answer does not say which.
  absl::StatusOr<Principal> Authenticate(std::string_view token) const;

 private:
  const TokenStore& tokens_;
  const Clock& clock_;
};

}  // namespace vernier

#endif  // VERNIER_ACCESS_AUTHENTICATOR_H_
