#include "study/parameter.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/number_text.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

// Returns the shortest digits that read back as `value`. The buffer has room
// for every double in fixed notation: 1 sign, 309 digits before or 2 + 1,074
// after the point.
std::string ShortestDigits(double value, std::chars_format format) {
  char buffer[1100];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, format).ptr;
  return std::string(buffer, end);
}

// Prints like Python's repr(), which authors of training programs expect: fixed
// notation for middling magnitudes, and always a point or an exponent. A
// negative number never gets an exponent, because argparse takes "-1e-05" for a
// flag.
std::string FormatDouble(double value) {
  const double magnitude = std::fabs(value);
  const bool is_middling =
      magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e16);
  if (!is_middling && !std::signbit(value)) {
    return ShortestDigits(value, std::chars_format::scientific);
  }
  std::string text = ShortestDigits(value, std::chars_format::fixed);
  if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return text;
}

absl::StatusOr<ParameterValue> ValueFromJson(const std::string& name,
                                             const Json& json) {
  // ParametersToJson writes doubles with a point or an exponent, so the kind of
  // JSON number tells the kind of parameter.
  if (json.is_number_float()) return ParameterValue(json.get<double>());
  if (json.is_number_unsigned() &&
      json.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) {
    return absl::InvalidArgumentError(
        absl::StrCat("stored parameter exceeds int64: ", name));
  }
  if (json.is_number_integer()) return ParameterValue(json.get<std::int64_t>());
  if (json.is_string()) return ParameterValue(json.get<std::string>());
  return absl::InvalidArgumentError(
      absl::StrCat("stored parameter must be a number or a string: ", name,
                   " is ", json.type_name()));
}

// Reads the texts that ParametersToJson usually writes: an object in one line
// whose names and texts are printable ASCII without escapes. A database has a
// million of them, and a general parser takes ten times as long. Other texts
// are left to that parser, and so are all errors.
class PlainParameters {
 public:
  explicit PlainParameters(std::string_view text) : text_(text) {}

  /// Returns nullopt for a text of another form.
  std::optional<Parameters> Read() {
    Parameters parameters;
    parameters.reserve(16);
    if (!Take('{')) return std::nullopt;
    while (!Take('}')) {
      if (!parameters.empty() && !Take(',')) return std::nullopt;
      const std::optional<std::string_view> name = ReadText();
      if (!name.has_value() || !Take(':')) return std::nullopt;
      std::optional<ParameterValue> value = ReadValue();
      if (!value.has_value()) return std::nullopt;
      // A name that comes twice is left to the general parser, where the last
      // value counts.
      for (const NamedValue& other : parameters) {
        if (other.name == *name) return std::nullopt;
      }
      parameters.push_back({std::string(*name), *std::move(value)});
    }
    if (!text_.empty()) return std::nullopt;
    return parameters;
  }

 private:
  bool Take(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }

  std::optional<std::string_view> ReadText() {
    if (!Take('"')) return std::nullopt;
    for (std::size_t end = 0; end < text_.size(); ++end) {
      const char c = text_[end];
      if (c == '"') {
        const std::string_view text = text_.substr(0, end);
        text_.remove_prefix(end + 1);
        return text;
      }
      if (c == '\\' || c < 0x20 || c > 0x7e) return std::nullopt;
    }
    return std::nullopt;
  }

  std::optional<ParameterValue> ReadValue() {
    if (text_.starts_with('"')) {
      const std::optional<std::string_view> text = ReadText();
      if (!text.has_value()) return std::nullopt;
      return ParameterValue(std::string(*text));
    }
    const std::size_t end = text_.find_first_of(",}");
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view number = text_.substr(0, end);
    if (!IsJsonNumber(number)) return std::nullopt;
    text_.remove_prefix(end);
    const bool is_whole = number.find_first_of(".eE") == std::string_view::npos;
    return is_whole ? ReadNumber<std::int64_t>(number)
                    : ReadNumber<double>(number);
  }

  template <typename Value>
  static std::optional<ParameterValue> ReadNumber(std::string_view text) {
    Value value = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
    return ParameterValue(value);
  }

  // True if the characters stand in the order that JSON demands.
  static bool IsJsonNumber(std::string_view text) {
    const auto skip_digits = [&text] {
      const std::size_t digits = text.find_first_not_of("0123456789");
      const std::size_t count = std::min(digits, text.size());
      text.remove_prefix(count);
      return count;
    };
    if (text.starts_with('-')) text.remove_prefix(1);
    const bool starts_with_zero = text.starts_with('0');
    const std::size_t whole = skip_digits();
    if (whole == 0 || (starts_with_zero && whole > 1)) return false;
    if (text.starts_with('.')) {
      text.remove_prefix(1);
      if (skip_digits() == 0) return false;
    }
    if (text.starts_with('e') || text.starts_with('E')) {
      text.remove_prefix(1);
      if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
      if (skip_digits() == 0) return false;
    }
    return text.empty();
  }

  std::string_view text_;  // The part that was not read yet.
};

}  // namespace

bool PrintsAsInteger(const ParameterSpec& spec, double value) {
  // A whole number beyond 2^53 was given as an integer, because other forms are
  // refused.
  constexpr double kMaxInt64 = 9223372036854775808.0;
  return spec.type == ParameterType::kDiscrete && std::trunc(value) == value &&
         std::fabs(value) < kMaxInt64;
}

std::string FormatValue(const ParameterSpec& spec,
                        const ParameterValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    return std::to_string(*integer);
  }
  const double number = std::get<double>(value);
  if (PrintsAsInteger(spec, number)) {
    return std::to_string(static_cast<std::int64_t>(number));
  }
  return FormatDouble(number);
}

std::string FormatValue(const ParameterValue& value) {
  // A whole number among doubles is more often one of a DISCRETE parameter's
  // values than it is hit in a range.
  ParameterSpec spec;
  spec.type = ParameterType::kDiscrete;
  return FormatValue(spec, value);
}

std::string ParametersToJson(const Parameters& parameters) {
  Json json = Json::object();
  for (const NamedValue& parameter : parameters) {
    std::visit([&](const auto& value) { json[parameter.name] = value; },
               parameter.value);
  }
  return DumpJson(json);
}

absl::StatusOr<Parameters> ParametersFromJson(std::string_view text) {
  if (auto parameters = PlainParameters(text).Read()) return *parameters;
  VERNIER_ASSIGN_OR_RETURN(const Json json, ParseJson(text));
  if (!json.is_object()) {
    return absl::InvalidArgumentError("stored parameters must be an object");
  }
  Parameters parameters;
  parameters.reserve(json.size());
  for (const auto& [name, member] : json.items()) {
    VERNIER_ASSIGN_OR_RETURN(ParameterValue value, ValueFromJson(name, member));
    parameters.push_back({name, std::move(value)});
  }
  return parameters;
}

}  // namespace vernier
