#ifndef VERNIER_ACCESS_ATTEMPT_TOKENS_H_
#define VERNIER_ACCESS_ATTEMPT_TOKENS_H_

#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "access/principal.h"
#include "store/store.h"

namespace vernier {

/// The tokens of trials' attempts. A token is valid while its attempt lives,
/// for the attempt's own reports and for objects. Tokens are derived with a key
/// that only the service has, and are not stored anywhere. Thread-safe.
class AttemptTokens {
 public:
  /// Borrows `store`, which must outlive this object.
  AttemptTokens(const Store& store, std::string secret)
      : store_(store), secret_(std::move(secret)) {}

  /// Returns the token of an attempt with this nonce: letters, digits, "-" and
  /// "_".
  std::string For(const AttemptKey& attempt, const std::string& nonce) const;

  /// Returns whether a text has the form of such a token.
  static bool IsOne(std::string_view token);
  /// Returns the principal of a token. UNAUTHENTICATED if it is malformed or
  /// the attempt is not alive; the answer does not say which.
  absl::StatusOr<Principal> Authenticate(std::string_view token) const;

 private:
  const Store& store_;
  const std::string secret_;
};

}  // namespace vernier

#endif  // VERNIER_ACCESS_ATTEMPT_TOKENS_H_
