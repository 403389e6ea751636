#ifndef VERNIER_ACCESS_AUTHENTICATOR_H_
#define VERNIER_ACCESS_AUTHENTICATOR_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "access/principal.h"
#include "base/clock.h"
#include "store/access/token_store.h"

namespace vernier {

/// The look-up behind every call that shows a token. Thread-safe.
class Authenticator {
 public:
  /// Borrows both; they must outlive this object.
  Authenticator(const TokenStore& tokens, const Clock& clock)
      : tokens_(tokens), clock_(clock) {}

  /// Whose token this is. UNAUTHENTICATED if it is empty, unknown, revoked or
  /// has expired; the answer does not say which.
  absl::StatusOr<Principal> Authenticate(std::string_view token) const;

 private:
  const TokenStore& tokens_;
  const Clock& clock_;
};

}  // namespace vernier

#endif  // VERNIER_ACCESS_AUTHENTICATOR_H_
