#include "study/parameter_object.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/nearest_name.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "study/find_by_name.h"
#include "study/parameter_value.h"
#include "study/search_space.h"

namespace vernier {
namespace {

std::optional<double> NumberFrom(const Json& json) {
  if (json.is_number()) return json.get<double>();
  double number = 0;
  if (json.is_string() &&
      absl::SimpleAtod(json.get_ref<const std::string&>(), &number)) {
    return number;
  }
  return std::nullopt;
}

// Returns nullopt if it is not written as an integer, or does not fit.
std::optional<std::int64_t> IntegerFrom(const Json& json) {
  std::int64_t number = 0;
  if (json.is_string() &&
      absl::SimpleAtoi(json.get_ref<const std::string&>(), &number)) {
    return number;
  }
  if (!json.is_number_integer()) return std::nullopt;
  if (json.is_number_unsigned() &&
      json.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max()) {
    return std::nullopt;
  }
  return json.get<std::int64_t>();
}

bool IsWithinExactIntegers(std::int64_t number) {
  constexpr auto kMax = static_cast<std::int64_t>(kMaxExactInteger);
  return -kMax <= number && number <= kMax;
}

absl::StatusOr<ParameterValue> ValueFrom(const ParameterSpec& spec,
                                         const Json& json) {
  const auto wrong = [&](const char* wanted) {
    return absl::InvalidArgumentError(absl::StrCat("parameter \"", spec.name,
                                                   "\" must be ", wanted, ": ",
                                                   DumpJson(json)));
  };
  if (spec.type == ParameterType::kCategorical) {
    if (json.is_boolean() && spec.has_booleans) {
      const auto value = ValueOf(spec, json.get<bool>() ? "true" : "false");
      if (value.has_value()) return *value;
    }
    if (!json.is_string()) return wrong("a string");
    return ParameterValue(json.get<std::string>());
  }
  const std::optional<double> number = NumberFrom(json);
  if (!number.has_value() || !std::isfinite(*number)) {
    return wrong("a finite number");
  }
  // 2^53 + 1 would be 2^53 as a double.
  const std::optional<std::int64_t> integer = IntegerFrom(json);
  if (spec.type != ParameterType::kInteger) {
    if (integer.has_value() && !IsExactDouble(*integer)) {
      return wrong(
          "a number that a double can hold, as all whole ones within "
          "+-2^53 are");
    }
    return ParameterValue(*number);
  }
  if (integer.has_value() && IsWithinExactIntegers(*integer)) {
    return ParameterValue(*integer);
  }
  if (integer.has_value() || std::trunc(*number) != *number ||
      std::fabs(*number) > kMaxExactInteger) {
    return wrong("an integer within +-2^53");
  }
  return ParameterValue(static_cast<std::int64_t>(*number));
}

// Returns the value of an active parameter in `object`.
absl::StatusOr<ParameterValue> ValueIn(const Json& object,
                                       const ParameterSpec& spec,
                                       MissingValues missing) {
  const auto place = object.find(spec.name);
  if (place != object.end()) return ValueFrom(spec, *place);
  if (missing == MissingValues::kTakeDefault) {
    if (spec.default_value.has_value()) return *spec.default_value;
    return absl::InvalidArgumentError(absl::StrCat(
        "parameter \"", spec.name, "\" is missing, and has no defaultValue"));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("parameter \"", spec.name, "\" is missing"));
}

absl::Status UnknownName(const std::vector<ParameterSpec>& space,
                         const std::string& name) {
  std::vector<std::string_view> names;
  for (const ParameterSpec& spec : space) {
    if (spec.name == name) {
      return absl::InvalidArgumentError(absl::StrCat(
          "parameter \"", name, "\" is not active in this configuration"));
    }
    names.push_back(spec.name);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("the search space has no parameter \"", name, "\"",
                   DidYouMean(name, names)));
}

absl::Status CheckAllKnown(const std::vector<ParameterSpec>& space,
                           const Json& object) {
  for (const auto& item : object.items()) {
    if (FindByName(space, item.key()) == nullptr) {
      return UnknownName(space, item.key());
    }
  }
  return absl::OkStatus();
}

absl::Status CheckAllUsed(const std::vector<ParameterSpec>& space,
                          const Json& object, const Parameters& parameters) {
  for (const auto& item : object.items()) {
    if (FindValue(parameters, item.key()) == nullptr) {
      return UnknownName(space, item.key());
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Parameters> ParametersFromObject(
    const std::vector<ParameterSpec>& space, std::string_view json,
    MissingValues missing) {
  VERNIER_ASSIGN_OR_RETURN(const Json object, ParseJson(json));
  if (!object.is_object()) {
    return absl::InvalidArgumentError(
        absl::StrCat("parameters must be an object of names and values: ",
                     std::string(json)));
  }
  Parameters parameters;
  parameters.reserve(space.size());  // Pointers to values must stay valid.
  std::vector<const ParameterValue*> values(space.size(), nullptr);
  std::size_t used = 0;  // Values of the object that were read.
  for (std::size_t i = 0; i < space.size(); ++i) {
    const ParameterSpec& spec = space[i];
    if (!IsActive(spec, values)) continue;
    used += object.count(spec.name);
    absl::StatusOr<ParameterValue> value = ValueIn(object, spec, missing);
    if (!value.ok()) {
      // A missing name is most often a misspelt one, so the message about an
      // unknown name is more helpful.
      VERNIER_RETURN_IF_ERROR(CheckAllKnown(space, object));
      return value.status();
    }
    parameters.push_back({spec.name, *std::move(value)});
    values[i] = &parameters.back().value;
  }
  if (used < object.size()) {
    VERNIER_RETURN_IF_ERROR(CheckAllUsed(space, object, parameters));
  }
  return parameters;
}

namespace {

// `spec` may be null: the parameter is not in the space.
Json JsonOf(const ParameterSpec* spec, const ParameterValue& value) {
  if (const auto* number = std::get_if<double>(&value)) {
    if (spec == nullptr || !PrintsAsInteger(*spec, *number)) return *number;
    return static_cast<std::int64_t>(*number);
  }
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  const std::string& text = std::get<std::string>(value);
  if (spec != nullptr && spec->has_booleans) {
    if (const auto boolean = BooleanOf(text)) return *boolean;
  }
  return text;
}

}  // namespace

std::string ParametersToObject(const std::vector<ParameterSpec>& space,
                               const Parameters& parameters) {
  const std::vector<const ParameterSpec*> specs =
      SpecsByValue(space, parameters);
  Json object = Json::object();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    object[parameters[i].name] = JsonOf(specs[i], parameters[i].value);
  }
  return DumpJson(object);
}

}  // namespace vernier
