#ifndef VERNIER_FACES_NATIVE_ACCESS_HANDLERS_H_
#define VERNIER_FACES_NATIVE_ACCESS_HANDLERS_H_

#include <vernier/v1/access_service.pb.h>

#include "absl/status/status.h"
#include "base/clock.h"
#include "store/access/token_store.h"

namespace vernier {

/// The calls of vernier.v1.AccessService, without the transport. Thread-safe.
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

 private:
  TokenStore& tokens_;
  const Clock& clock_;
};

}  // namespace vernier

#endif  // VERNIER_FACES_NATIVE_ACCESS_HANDLERS_H_
