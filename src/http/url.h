#ifndef VERNIER_HTTP_URL_H_
#define VERNIER_HTTP_URL_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vernier {

/// Decodes %XX once, and '+' to a blank only if `plus_is_blank` (in queries).
/// Null for a % without two hex digits, and for a NUL byte. Pure.
std::optional<std::string> PercentDecode(std::string_view text,
                                         bool plus_is_blank);

/// Encodes everything except letters, digits and "-._~". Pure.
std::string PercentEncode(std::string_view text);

/// A request target, split into its parts.
struct UrlTarget {
  /// "HOST" or "HOST:PORT" of an absolute form, which begins with http:// or
  /// https://; empty for the usual form.
  std::string authority;
  std::string path;  ///< Still encoded; begins with '/'.
  std::vector<std::pair<std::string, std::string>> query;  ///< Decoded.
};

/// Parses "/v1/a%2Fb?x=1&y" and the like, and the absolute form of it. Null for
/// anything else, including bad encoding in the query. The caller must check
/// whether `authority` is a name of the service. Pure.
std::optional<UrlTarget> ParseTarget(std::string_view target);

}  // namespace vernier

#endif  // VERNIER_HTTP_URL_H_
