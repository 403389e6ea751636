#include "study/optuna_space/optuna_distribution.h"

#include <cmath>
#include <cstddef>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/json.h"
#include "base/number_text.h"
#include "base/python_json.h"
#include "base/shown_text.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

using Kind = OptunaDistribution::Kind;

constexpr std::size_t kMostNameBytes = 256;
constexpr std::size_t kMostChoices = 1000;

absl::Status NoDistribution(std::string_view json, const std::string& why) {
  return absl::InvalidArgumentError(
      absl::StrCat("a distribution must be JSON as Optuna writes it: ", why,
                   ": ", ShowText(std::string(json))));
}

// The classes of a distribution, and those that stood for them before Optuna 3.
struct ClassName {
  std::string_view name;
  Kind kind;
  bool is_log;
};
constexpr ClassName kClasses[] = {
    {"FloatDistribution", Kind::kFloat, false},
    {"IntDistribution", Kind::kInt, false},
    {"CategoricalDistribution", Kind::kCategorical, false},
    {"UniformDistribution", Kind::kFloat, false},
    {"LogUniformDistribution", Kind::kFloat, true},
    {"DiscreteUniformDistribution", Kind::kFloat, false},
    {"IntUniformDistribution", Kind::kInt, false},
    {"IntLogUniformDistribution", Kind::kInt, true},
};

bool ReadNumber(const Json& object, const char* key, double* number) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return false;
  *number = found->get<double>();
  return true;
}

bool ReadRange(const Json& attributes, OptunaDistribution* distribution) {
  if (!ReadNumber(attributes, "low", &distribution->low) ||
      !ReadNumber(attributes, "high", &distribution->high)) {
    return false;
  }
  double step = 0;
  if (ReadNumber(attributes, "step", &step) ||
      ReadNumber(attributes, "q", &step)) {
    distribution->step = step;
  }
  const auto log = attributes.find("log");
  if (log != attributes.end() && log->is_boolean() && log->get<bool>()) {
    distribution->is_log = true;
  }
  return true;
}

// A choice as Python prints it, and so as our own package writes it.
std::string PrintedByPython(const std::string& choice) {
  const auto json = ParsePythonJson(choice);
  if (!json.ok()) return choice;
  if (json->is_null()) return "None";
  if (json->is_boolean()) return json->get<bool>() ? "True" : "False";
  const auto number = PythonNumber(*json);
  if (number.has_value() && !std::isfinite(*number)) {
    if (std::isnan(*number)) return "nan";
    return *number > 0 ? "inf" : "-inf";
  }
  return json->is_string() ? json->get<std::string>() : choice;
}

// As studies have it that are older than that form: JSON, but for texts.
std::string StringOrJson(const std::string& choice) {
  const auto json = ParseJson(choice);
  return json.ok() && json->is_string() ? json->get<std::string>() : choice;
}

// Texts that tell the choices apart: their JSON if two are written alike.
std::vector<std::string> TextsOf(
    const std::vector<std::string>& choices,
    std::string (*write)(const std::string&) = &PrintedByPython) {
  std::vector<std::string> texts;
  texts.reserve(choices.size());
  for (const std::string& choice : choices) texts.push_back(write(choice));
  const std::set<std::string> distinct(texts.begin(), texts.end());
  return distinct.size() == texts.size() ? texts : choices;
}

}  // namespace

absl::StatusOr<OptunaDistribution> ReadDistribution(std::string_view json) {
  const auto parsed = ParsePythonJson(json);
  if (!parsed.ok() || !parsed->is_object()) {
    return NoDistribution(json, "it is no object");
  }
  const auto name = parsed->find("name");
  const auto attributes = parsed->find("attributes");
  if (name == parsed->end() || !name->is_string() ||
      attributes == parsed->end() || !attributes->is_object()) {
    return NoDistribution(json, "it has no name and attributes");
  }
  const auto called = name->get<std::string>();
  for (const ClassName& one : kClasses) {
    if (one.name != called) continue;
    OptunaDistribution distribution;
    distribution.kind = one.kind;
    distribution.is_log = one.is_log;
    if (one.kind != Kind::kCategorical) {
      if (ReadRange(*attributes, &distribution)) return distribution;
      return NoDistribution(json, "it has no numbers low and high");
    }
    const auto choices = attributes->find("choices");
    if (choices == attributes->end() || !choices->is_array()) {
      return NoDistribution(json, "it has no list of choices");
    }
    for (const Json& choice : *choices) {
      distribution.choices.push_back(DumpPythonJson(choice));
    }
    return distribution;
  }
  return NoDistribution(json, "its name is unknown");
}

bool AreCompatible(const OptunaDistribution& a, const OptunaDistribution& b) {
  return a.kind == b.kind && a.is_log == b.is_log && a.choices == b.choices;
}

std::optional<ParameterSpec> ParameterOf(
    const std::string& name, const OptunaDistribution& distribution) {
  if (name.empty() || name.size() > kMostNameBytes) return std::nullopt;
  ParameterSpec spec;
  spec.name = name;
  if (distribution.kind == Kind::kCategorical) {
    spec.type = ParameterType::kCategorical;
    spec.categorical_values = TextsOf(distribution.choices);
    const std::set<std::string> distinct(spec.categorical_values.begin(),
                                         spec.categorical_values.end());
    const std::size_t count = spec.categorical_values.size();
    if (count == 0 || count > kMostChoices || distinct.size() != count) {
      return std::nullopt;
    }
    return spec;
  }
  const bool is_int = distribution.kind == Kind::kInt;
  spec.type = is_int ? ParameterType::kInteger : ParameterType::kDouble;
  spec.scale = distribution.is_log ? ScaleType::kLog : ScaleType::kLinear;
  spec.min_value = distribution.low;
  spec.max_value = distribution.high;
  if (!std::isfinite(spec.min_value) || !std::isfinite(spec.max_value) ||
      spec.min_value > spec.max_value ||
      (distribution.is_log && spec.min_value <= 0)) {
    return std::nullopt;
  }
  const bool is_exact = std::fabs(spec.min_value) <= kMaxExactInteger &&
                        std::fabs(spec.max_value) <= kMaxExactInteger;
  if (is_int && !is_exact) return std::nullopt;
  return spec;
}

std::optional<std::string> TypedChoices(
    const OptunaDistribution& distribution) {
  if (distribution.kind != Kind::kCategorical) return std::nullopt;
  bool are_texts = true;
  std::set<std::string> printed;
  for (const std::string& choice : distribution.choices) {
    const auto json = ParsePythonJson(choice);
    if (!json.ok() || json->is_structured()) return std::nullopt;
    are_texts = are_texts && json->is_string() && !PythonNumber(*json);
    // Of choices that are printed alike the package has no two.
    if (!printed.insert(PrintedByPython(choice)).second) return std::nullopt;
  }
  if (are_texts) return std::nullopt;
  return absl::StrCat("[", absl::StrJoin(distribution.choices, ","), "]");
}

std::optional<ParameterValue> ValueOf(const OptunaDistribution& distribution,
                                      double internal) {
  if (!std::isfinite(internal)) return std::nullopt;
  if (distribution.kind == Kind::kFloat) return internal;
  if (std::fabs(internal) > kMaxExactInteger) return std::nullopt;
  const auto whole = static_cast<std::int64_t>(std::llround(internal));
  if (distribution.kind == Kind::kInt) return whole;
  if (whole < 0 || whole >= std::ssize(distribution.choices)) {
    return std::nullopt;
  }
  return TextsOf(distribution.choices)[static_cast<std::size_t>(whole)];
}

std::optional<std::string> FixedValueJson(
    const OptunaDistribution& distribution, const ParameterValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    for (const auto write : {&PrintedByPython, &StringOrJson}) {
      const std::vector<std::string> texts =
          TextsOf(distribution.choices, write);
      for (std::size_t i = 0; i < texts.size(); ++i) {
        if (texts[i] == *text) return distribution.choices[i];
      }
    }
    return std::nullopt;
  }
  const auto* whole = std::get_if<std::int64_t>(&value);
  double number =
      whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
  if (distribution.step.value_or(0) > 0 && !distribution.is_log) {
    const double step = *distribution.step;
    const double most =
        std::floor((distribution.high - distribution.low) / step * (1 + 1e-12));
    number =
        distribution.low +
        std::fmin(std::round((number - distribution.low) / step), most) * step;
  }
  if (!(number >= distribution.low && number <= distribution.high)) {
    return std::nullopt;
  }
  if (distribution.kind != Kind::kInt) return DumpJson(Json(number));
  return absl::StrCat(static_cast<std::int64_t>(std::llround(number)));
}

std::optional<ParameterValue> ValueOfFixed(const ParameterSpec& spec,
                                           std::string_view json) {
  const auto parsed = ParseJson(json);
  if (!parsed.ok()) return std::nullopt;
  if (spec.type == ParameterType::kCategorical) {
    const std::string choice(json);
    for (const std::string& possible : spec.categorical_values) {
      if (possible == PrintedByPython(choice) || possible == choice) {
        return possible;
      }
    }
    return std::nullopt;
  }
  if (!parsed->is_number()) return std::nullopt;
  const double number = parsed->get<double>();
  if (!(number >= spec.min_value && number <= spec.max_value)) {
    return std::nullopt;
  }
  if (spec.type == ParameterType::kDouble) return number;
  return static_cast<std::int64_t>(std::llround(number));
}

}  // namespace vernier
