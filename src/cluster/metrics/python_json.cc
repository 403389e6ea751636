#include "cluster/metrics/python_json.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "absl/strings/numbers.h"
#include "base/python_json.h"
#include "base/shown_text.h"
#include "cluster/metrics/printed_number.h"

namespace vernier {
namespace {

constexpr std::string_view kJsonBlanks = " \t\r\n";

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
    record = parse(QuoteBareWords(text, BareWords::kAsTexts));
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
