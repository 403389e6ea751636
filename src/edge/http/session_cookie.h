#ifndef VERNIER_EDGE_HTTP_SESSION_COOKIE_H_
#define VERNIER_EDGE_HTTP_SESSION_COOKIE_H_

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "http/http_message.h"

namespace vernier {

/// The session of a browser: a cookie with a token, which only the dashboard's
/// paths accept. It is HttpOnly, so no script reads it, and SameSite=Strict.
/// Browsers do not distinguish the ports of one host, so a page of another
/// service on this machine counts as the same site. Therefore a request that
/// changes something must also have a header that only the dashboard's own page
/// knows. Pure.

/// The path below which the cookie is sent.
inline constexpr std::string_view kSessionPath = "/ui/";

/// The header that a request with the cookie needs to change something.
inline constexpr std::string_view kForgeryHeader = "x-vernier-csrf";

/// Returns the value of a cookie in the request; empty if it has none.
std::string_view CookieValue(const HttpRequest& request, std::string_view name);

/// Returns the Set-Cookie header that begins a session, or ends one if `token`
/// is empty. Without `lifetime`, the session ends with the browser.
std::string SessionCookie(const std::string& name, const std::string& token,
                          std::optional<std::chrono::seconds> lifetime,
                          bool is_secure);

/// Returns the value that kForgeryHeader must have in a session with this
/// token.
std::string ForgeryKey(std::string_view token);

/// Returns OK, or PERMISSION_DENIED without the right kForgeryHeader.
absl::Status CheckForgery(const HttpRequest& request, std::string_view token);

}  // namespace vernier

#endif  // VERNIER_EDGE_HTTP_SESSION_COOKIE_H_
