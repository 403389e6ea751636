#include "study/parameter.h"

#include <charconv>
#include <cmath>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/number_text.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

// Shortest digits that read back as `value`. Room for every double in fixed
// notation: 1 sign, 309 digits before or 2 + 1,074 after the point.
std::string ShortestDigits(double value, std::chars_format format) {
  char buffer[1100];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, format).ptr;
  return std::string(buffer, end);
}

// Prints as Python's repr(), which authors of training programs expect: fixed
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

}  // namespace

bool PrintsAsInteger(const ParameterSpec& spec, double value) {
  return spec.type == ParameterType::kDiscrete && std::trunc(value) == value &&
         std::fabs(value) < kMaxExactInteger;
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

std::string ParametersToJson(const Parameters& parameters) {
  Json json = Json::object();
  for (const NamedValue& parameter : parameters) {
    std::visit([&](const auto& value) { json[parameter.name] = value; },
               parameter.value);
  }
  return DumpJson(json);
}

absl::StatusOr<Parameters> ParametersFromJson(std::string_view text) {
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
