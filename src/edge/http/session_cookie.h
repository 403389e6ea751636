#ifndef VERNIER_EDGE_HTTP_SESSION_COOKIE_H_
#define VERNIER_EDGE_HTTP_SESSION_COOKIE_H_

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "http/http_message.h"

namespace vernier {

/// The session of a browser: a cookie that holds a token, which only the
/// dashboard's paths take. It is HttpOnly, so no script reads it, and
/// SameSite=Strict. Browsers do not tell the ports of one host apart, so a
/// page of another service on this machine counts as the same site: whoever
/// changes something must also send a header that only our own page knows.
/// Pure.

/// The path below which the cookie is sent.
inline constexpr std::string_view kSessionPath = "/ui/";

/// The header that a request with the cookie needs to change something.
inline constexpr std::string_view kForgeryHeader = "x-vernier-csrf";

/// The value of a cookie in the request; empty if it has none.
std::string_view CookieValue(const HttpRequest& request, std::string_view name);

/// The Set-Cookie header that begins a session, or ends one if `token` is
/// empty. No `lifetime`: until the browser ends.
std::string SessionCookie(const std::string& name, const std::string& token,
                          std::optional<std::chrono::seconds> lifetime,
                          bool is_secure);

/// What kForgeryHeader must be in a session with this token.
std::string ForgeryKey(std::string_view token);

/// OK, or PERMISSION_DENIED without the right kForgeryHeader.
absl::Status CheckForgery(const HttpRequest& request, std::string_view token);

}  // namespace vernier

#endif  // VERNIER_EDGE_HTTP_SESSION_COOKIE_H_
