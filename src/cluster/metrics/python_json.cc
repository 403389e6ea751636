#include "cluster/metrics/python_json.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/shown_text.h"
#include "cluster/metrics/printed_number.h"

namespace vernier {
namespace {

constexpr std::string_view kJsonBlanks = " \t\r\n";

// Returns the bytes of the number at the text's beginning if it is too large
// for a double; 0 for anything else.
std::size_t OverflowSize(std::string_view text) {
  const std::size_t size =
      std::min(text.find_first_not_of("+-.0123456789eE"), text.size());
  double number = 0;
  const bool is_number =
      size > 0 && absl::SimpleAtod(std::string(text.substr(0, size)), &number);
  return is_number && std::isinf(number) ? size : 0;
}

// Returns the text with Python's tokens for non-finite numbers, and numbers
// that are too large, put in quotes; nullopt if it has none of them.
std::optional<std::string> QuoteNonFinite(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> kTokens[] = {
      {"NaN", "\"nan\""}, {"-Infinity", "\"-inf\""}, {"Infinity", "\"inf\""}};
  std::string quoted;
  bool has_token = false;
  bool is_inside = false;  // A text.
  for (std::size_t i = 0; i < text.size();) {
    if (is_inside && text[i] == '\\') {
      quoted += text.substr(i, 2);
      i += 2;
      continue;
    }
    if (text[i] == '"') is_inside = !is_inside;
    if (const std::size_t size = is_inside ? 0 : OverflowSize(text.substr(i))) {
      absl::StrAppend(&quoted, "\"", std::string(text.substr(i, size)), "\"");
      i += size;
      has_token = true;
      continue;
    }
    const auto token =
        is_inside
            ? std::end(kTokens)
            : std::find_if(
                  std::begin(kTokens), std::end(kTokens), [&](const auto& one) {
                    return text.substr(i, one.first.size()) == one.first;
                  });
    if (token == std::end(kTokens)) {
      quoted += text[i++];
    } else {
      quoted += token->second;
      i += token->first.size();
      has_token = true;
    }
  }
  if (!has_token) return std::nullopt;
  return quoted;
}

}  // namespace

std::string_view TrimmedJson(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kJsonBlanks);
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(kJsonBlanks) - begin + 1);
}

std::optional<Json> ParsePythonObject(std::string_view text) {
  // This test is cheap, which matters for a file of prose: it is parsed again
  // and again.
  if (text.empty() || text.front() != '{' || text.back() != '}') {
    return std::nullopt;
  }
  // Exceptions are avoided because they cost more than the parsing.
  const auto parse = [](std::string_view json) {
    return Json::parse(json, nullptr, /*allow_exceptions=*/false);
  };
  Json record = parse(text);
  if (record.is_discarded()) {
    const std::optional<std::string> quoted = QuoteNonFinite(text);
    if (!quoted) return std::nullopt;
    record = parse(*quoted);
  }
  if (!record.is_object()) return std::nullopt;
  return record;
}

std::optional<double> NumberOf(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return std::nullopt;
  double number = 0;
  // SimpleAtod takes "nan", "inf" and "-inf" in any case; a number that is too
  // large becomes infinite.
  if (!absl::SimpleAtod(value.get<std::string>(), &number)) return std::nullopt;
  return number;
}

std::optional<double> MetricValueOf(const Json& value) {
  const bool says_none =
      value.is_null() ||
      (value.is_string() && SaysNoNumber(value.get_ref<const std::string&>()));
  if (says_none) return std::numeric_limits<double>::quiet_NaN();
  return NumberOf(value);
}

std::optional<std::int64_t> WholeNumberOf(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number >
        static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return std::nullopt;
    }
    return static_cast<std::int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  std::int64_t whole = 0;
  if (value.is_string() && absl::SimpleAtoi(value.get<std::string>(), &whole)) {
    return whole;
  }
  const std::optional<double> number = NumberOf(value);
  constexpr double kLimit = 9.2e18;  // Just below 2^63.
  if (!number || !(std::fabs(*number) < kLimit) ||
      *number != std::trunc(*number)) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(*number);
}

std::string ShowJson(const Json& value) {
  if (value.is_object()) return "a mapping";
  if (value.is_array()) return "a list";
  return ShowText(DumpJson(value));
}

}  // namespace vernier
