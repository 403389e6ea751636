#ifndef VERNIER_FACES_DASHBOARD_SIGN_IN_H_
#define VERNIER_FACES_DASHBOARD_SIGN_IN_H_

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "access/authenticator.h"
#include "access/principal.h"
#include "access/sign_in_codes.h"
#include "base/clock.h"
#include "http/http_handler.h"
#include "store/access/token_store.h"

namespace vernier {

/// Signs a browser in to the dashboard, and out: POST /ui/session with {"code"}
/// of `vernier ui` or {"token"}, GET and DELETE. It is open to callers without
/// a session, since it begins sessions, so it reads little and does little.
/// Thread-safe.
class SignIn {
 public:
  struct Dependencies {
    const Authenticator& authenticator;
    TokenStore& tokens;
    SignInCodes& codes;
    const Clock& clock;
  };
  struct Options {
    std::string cookie;  ///< The cookie's name.
    bool is_secure = false;
  };

  /// Borrows the objects in `dependencies`, which must outlive this one.
  SignIn(const Dependencies& dependencies, Options options)
      : dependencies_(dependencies), options_(std::move(options)) {}

  static bool Takes(std::string_view path) { return path == "/ui/session"; }

  /// Not null.
  std::unique_ptr<HttpExchange> Begin(const HttpRequest& request);

 private:
  using Answer = absl::StatusOr<HttpResponse>;

  Answer Create(const std::string& body);
  Answer Get(const HttpRequest& request);
  Answer Delete(const HttpRequest& request);
  absl::StatusOr<std::string> MakeToken(std::string_view code);
  /// Describes the session with this token and, if `begins`, sets its cookie.
  Answer Describe(const std::string& token, bool begins);

  const Dependencies dependencies_;
  const Options options_;
};

}  // namespace vernier

#endif  // VERNIER_FACES_DASHBOARD_SIGN_IN_H_
