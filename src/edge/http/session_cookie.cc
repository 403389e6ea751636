#include "edge/http/session_cookie.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "access/token_text.h"

namespace vernier {

std::string_view CookieValue(const HttpRequest& request,
                             std::string_view name) {
  std::string_view rest = request.Header("cookie");
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    std::string_view pair = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    while (!pair.empty() && pair.front() == ' ') pair.remove_prefix(1);
    if (pair.size() > name.size() && pair[name.size()] == '=' &&
        pair.substr(0, name.size()) == name) {
      return pair.substr(name.size() + 1);
    }
  }
  return "";
}

std::string SessionCookie(const std::string& name, const std::string& token,
                          std::optional<std::chrono::seconds> lifetime,
                          bool is_secure) {
  std::string cookie = absl::StrCat(name, "=", token, "; Path=/ui; HttpOnly",
                                    "; SameSite=Strict");
  if (token.empty()) lifetime = std::chrono::seconds(0);
  if (lifetime.has_value()) {
    absl::StrAppend(&cookie, "; Max-Age=", lifetime->count());
  }
  if (is_secure) cookie += "; Secure";
  return cookie;
}

std::string ForgeryKey(std::string_view token) {
  return KeyedHash(token, "dashboard");
}

absl::Status CheckForgery(const HttpRequest& request, std::string_view token) {
  if (EqualsInConstantTime(request.Header(kForgeryHeader), ForgeryKey(token))) {
    return absl::OkStatus();
  }
  return absl::PermissionDeniedError(
      absl::StrCat("a session of the dashboard changes things only with the "
                   "header ",
                   std::string(kForgeryHeader), " that its page knows"));
}

}  // namespace vernier
