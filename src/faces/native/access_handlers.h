#ifndef VERNIER_FACES_NATIVE_ACCESS_HANDLERS_H_
#define VERNIER_FACES_NATIVE_ACCESS_HANDLERS_H_

#include <vernier/v1/access_service.pb.h>

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "access/sign_in_codes.h"
#include "base/clock.h"
#include "store/access/token_store.h"

namespace vernier {

/// The calls of vernier.v1.AccessService, without the transport. Thread-safe.
class AccessHandlers {
 public:
  struct Dependencies {
    TokenStore& tokens;
    const Clock& clock;
    SignInCodes& sign_in_codes;
    std::string http_url;  ///< Empty: there is no HTTP interface.
  };

  /// Borrows the objects in `dependencies`, which must outlive this one.
  explicit AccessHandlers(Dependencies dependencies)
      : http_url_(std::move(dependencies.http_url)),
        tokens_(dependencies.tokens),
        clock_(dependencies.clock),
        sign_in_codes_(dependencies.sign_in_codes) {}

  absl::Status CreateToken(const v1::CreateTokenRequest& request,
                           v1::CreateTokenResponse* response);
  absl::Status ListTokens(const v1::ListTokensRequest& request,
                          v1::ListTokensResponse* response);
  absl::Status RevokeToken(const v1::RevokeTokenRequest& request,
                           v1::RevokeTokenResponse* response);
  absl::Status CreateSignInCode(const v1::CreateSignInCodeRequest& request,
                                v1::CreateSignInCodeResponse* response);

 private:
  const std::string http_url_;
  TokenStore& tokens_;
  const Clock& clock_;
  SignInCodes& sign_in_codes_;
};

}  // namespace vernier

#endif  // VERNIER_FACES_NATIVE_ACCESS_HANDLERS_H_
