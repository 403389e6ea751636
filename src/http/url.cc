#include "http/url.h"

#include <cstddef>

#include "absl/strings/match.h"
#include "http/header_text.h"

namespace vernier {
namespace {

bool IsUnreserved(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z') || c == '-' || c == '.' || c == '_' || c == '~';
}

// Returns where the authority of an absolute form begins; 0 if the target is
// not such a form of HTTP.
std::size_t AfterScheme(std::string_view target) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (absl::StartsWithIgnoreCase(Absl(target), Absl(scheme))) {
      return scheme.size();
    }
  }
  return 0;
}

bool ParseQuery(std::string_view text, UrlTarget* target) {
  while (!text.empty()) {
    const std::size_t end = text.find('&');
    const std::string_view item = text.substr(0, end);
    text = end == std::string_view::npos ? "" : text.substr(end + 1);
    if (item.empty()) continue;
    const std::size_t equals = item.find('=');
    auto name = PercentDecode(item.substr(0, equals), true);
    auto value = PercentDecode(
        equals == std::string_view::npos ? "" : item.substr(equals + 1), true);
    if (!name || !value) return false;
    target->query.emplace_back(*std::move(name), *std::move(value));
  }
  return true;
}

}  // namespace

std::optional<std::string> PercentDecode(std::string_view text,
                                         bool plus_is_blank) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = HexDigit(text[i + 1]);
      const int low = HexDigit(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      i += 2;
    } else if (c == '+' && plus_is_blank) {
      c = ' ';
    }
    // A NUL would cut off the text where it becomes a C string.
    if (c == '\0') return std::nullopt;
    decoded.push_back(c);
  }
  return decoded;
}

std::string PercentEncode(std::string_view text) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    if (IsUnreserved(c)) {
      encoded.push_back(c);
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    encoded.push_back('%');
    encoded.push_back(kDigits[byte >> 4]);
    encoded.push_back(kDigits[byte & 15]);
  }
  return encoded;
}

std::optional<UrlTarget> ParseTarget(std::string_view target) {
  UrlTarget parsed;
  if (!target.empty() && target.front() != '/') {
    const std::size_t begin = AfterScheme(target);
    const std::size_t path = target.find('/', begin);
    if (begin == 0 || path == begin || path == std::string_view::npos) {
      return std::nullopt;
    }
    parsed.authority = std::string(target.substr(begin, path - begin));
    target.remove_prefix(path);
  }
  if (target.empty()) return std::nullopt;
  const std::size_t mark = target.find('?');
  parsed.path = std::string(target.substr(0, mark));
  if (mark != std::string_view::npos &&
      !ParseQuery(target.substr(mark + 1), &parsed)) {
    return std::nullopt;
  }
  return parsed;
}

}  // namespace vernier
