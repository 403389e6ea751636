#include "http/byte_range.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace vernier {
namespace {

std::optional<std::int64_t> ParseCount(std::string_view text) {
  // from_chars would accept a minus.
  if (text.empty() || text.front() == '-') return std::nullopt;
  std::int64_t count = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return count;
}

std::string_view TrimmedRange(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
    text.remove_prefix(1);
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) {
    text.remove_suffix(1);
  }
  return text;
}

// Removes `prefix`, given in lower case, without regard to case.
bool TakePrefix(std::string_view prefix, std::string_view* text) {
  if (text->size() < prefix.size()) return false;
  for (std::size_t i = 0; i < prefix.size(); ++i) {
    char c = (*text)[i];
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c != prefix[i]) return false;
  }
  text->remove_prefix(prefix.size());
  return true;
}

RangeAnswer Part(std::int64_t first, std::int64_t last) {
  return {RangeAnswer::Kind::kPart, {first, last}};
}

}  // namespace

RangeAnswer ResolveRange(std::string_view header, std::int64_t size) {
  const RangeAnswer whole;
  const RangeAnswer unsatisfiable{RangeAnswer::Kind::kUnsatisfiable, {}};
  std::string_view text = TrimmedRange(header);
  if (!TakePrefix("bytes=", &text)) return whole;
  text = TrimmedRange(text);
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos ||
      text.find(',') != std::string_view::npos) {
    return whole;
  }
  const auto first = ParseCount(text.substr(0, dash));
  const auto last = ParseCount(text.substr(dash + 1));
  const bool has_last = dash + 1 < text.size();
  if (dash == 0) {
    if (!last) return whole;
    if (*last == 0 || size == 0) return unsatisfiable;
    return Part(std::max<std::int64_t>(0, size - *last), size - 1);
  }
  if (!first || (has_last && !last)) return whole;
  if (has_last && *last < *first) return whole;
  if (*first >= size) return unsatisfiable;
  return Part(*first, has_last ? std::min(*last, size - 1) : size - 1);
}

std::optional<ContentRange> ParseContentRange(std::string_view header) {
  std::string_view text = TrimmedRange(header);
  if (!TakePrefix("bytes", &text) || text.empty()) return std::nullopt;
  // Some clients write '=' as in a Range header.
  if (text.front() != ' ' && text.front() != '=') return std::nullopt;
  text = TrimmedRange(text.substr(1));
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string_view range = text.substr(0, slash);
  const std::string_view total = text.substr(slash + 1);
  ContentRange parsed;
  if (total != "*") {
    parsed.total = ParseCount(total);
    if (!parsed.total) return std::nullopt;
  }
  if (range == "*") return parsed;
  const std::size_t dash = range.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto first = ParseCount(range.substr(0, dash));
  const auto last = ParseCount(range.substr(dash + 1));
  if (!first || !last || *last < *first) return std::nullopt;
  if (parsed.total && *last >= *parsed.total) return std::nullopt;
  parsed.range = ByteRange{*first, *last};
  return parsed;
}

}  // namespace vernier
