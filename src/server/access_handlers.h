#ifndef VERNIER_SERVER_ACCESS_HANDLERS_H_
#define VERNIER_SERVER_ACCESS_HANDLERS_H_

#include <vernier/v1/access_service.pb.h>

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/principal.h"
#include "store/token_store.h"
#include "study/clock.h"

namespace vernier {

/// What the calls of vernier.v1.AccessService do, without the transport, and
/// the look-up behind every call that shows a token. Thread-safe.
class AccessHandlers {
 public:
  /// Borrows both; they must outlive this object.
  AccessHandlers(TokenStore& tokens, const Clock& clock)
      : tokens_(tokens), clock_(clock) {}

  absl::Status CreateToken(const v1::CreateTokenRequest& request,
                           v1::CreateTokenResponse* response);
  absl::Status ListTokens(const v1::ListTokensRequest& request,
                          v1::ListTokensResponse* response);
  absl::Status RevokeToken(const v1::RevokeTokenRequest& request,
                           v1::RevokeTokenResponse* response);

  /// Whose token this is. UNAUTHENTICATED if it is empty, unknown, revoked or
  /// has expired; the answer does not say which.
  absl::StatusOr<Principal> Authenticate(std::string_view token) const;

 private:
  TokenStore& tokens_;
  const Clock& clock_;
};

}  // namespace vernier

#endif  // VERNIER_SERVER_ACCESS_HANDLERS_H_
