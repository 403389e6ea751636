#include "faces/katib/katib_space.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "study/parameter_value.h"
#include "study/step_value.h"
#include "suggest/space/finite_space.h"

namespace vernier {
namespace {

// Katib's Optuna service lifts the lower end of a logarithmic range to these.
constexpr double kLeastLogDouble = 1e-10;
constexpr double kLeastLogInteger = 1;
// Other services write values with their own rounding.
constexpr double kTolerance = 1e-9;

absl::Status WrongParameter(const katib::ParameterSpec& spec,
                            const std::string& why) {
  return absl::InvalidArgumentError(
      absl::StrCat("parameter ", ShowText(spec.name()), ": ", why));
}

bool IsLogarithmic(const katib::ParameterSpec& spec) {
  const katib::Distribution distribution = spec.feasible_space().distribution();
  return distribution == katib::LOG_UNIFORM ||
         distribution == katib::LOG_NORMAL;
}

absl::StatusOr<double> FiniteNumber(const katib::ParameterSpec& spec,
                                    const char* field,
                                    const std::string& text) {
  if (const auto number = NumberIn(text)) return *number;
  return WrongParameter(
      spec, absl::StrCat(field, " must be a finite number: \"", ShowText(text),
                         "\""));
}

absl::StatusOr<double> ReadBound(const katib::ParameterSpec& spec,
                                 const char* field, const std::string& text) {
  if (spec.parameter_type() != katib::INT)
    return FiniteNumber(spec, field, text);
  const std::optional<std::int64_t> whole = ParseInteger(text);
  if (whole.has_value() &&
      std::fabs(static_cast<double>(*whole)) <= kMaxExactInteger) {
    return static_cast<double>(*whole);
  }
  return WrongParameter(
      spec, absl::StrCat(field, " must be a whole number within +-2^53: \"",
                         ShowText(text), "\""));
}

// Returns the step; 0 if all values of the range are possible. A whole number
// has a step of 1 by itself, and Katib's services let a smaller one stand for
// that.
absl::StatusOr<double> ReadStep(const katib::ParameterSpec& spec) {
  const std::string& text = spec.feasible_space().step();
  if (text.empty()) return 0;
  VERNIER_ASSIGN_OR_RETURN(const double step, FiniteNumber(spec, "step", text));
  if (step <= 0) {
    return WrongParameter(
        spec, absl::StrCat("step must be > 0: \"", ShowText(text), "\""));
  }
  if (spec.parameter_type() != katib::INT) return step;
  if (step <= 1) return 0;
  if (step == std::floor(step) && step <= kMaxExactInteger) return step;
  return WrongParameter(spec, absl::StrCat("step must be a whole number: \"",
                                           ShowText(text), "\""));
}

double NumSteps(double low, double high, double step) {
  return std::floor((high - low) / step * (1 + kTolerance)) + 1;
}

bool IsNear(double a, double b, double scale) {
  return std::fabs(a - b) <= kTolerance * std::max(std::fabs(a), scale);
}

}  // namespace

absl::StatusOr<KatibSpace> KatibSpace::Read(const Specs& specs) {
  if (specs.size() > kMostParameters) {
    return absl::InvalidArgumentError(
        absl::StrCat("an experiment may have ", kMostParameters,
                     " parameters: ", specs.size()));
  }
  KatibSpace space;
  std::set<std::string_view> names;
  for (const katib::ParameterSpec& spec : specs) {
    if (spec.name().empty() || spec.name().size() > kLongestName) {
      return absl::InvalidArgumentError(
          absl::StrCat("the name of a parameter must have 1 to ", kLongestName,
                       " bytes: \"", ShowText(spec.name()), "\""));
    }
    if (!names.insert(spec.name()).second) {
      return absl::InvalidArgumentError(absl::StrCat(
          "Detect duplicated parameter name: ", ShowText(spec.name())));
    }
    VERNIER_RETURN_IF_ERROR(space.Add(spec));
  }
  return space;
}

absl::Status KatibSpace::Add(const katib::ParameterSpec& spec) {
  switch (spec.parameter_type()) {
    case katib::INT:
    case katib::DOUBLE:
      return AddNumber(spec);
    case katib::DISCRETE:
    case katib::CATEGORICAL:
      return AddList(spec);
    default:
      return WrongParameter(
          spec, "its type must be double, int, discrete or categorical");
  }
}

absl::Status KatibSpace::AddNumber(const katib::ParameterSpec& spec) {
  const katib::FeasibleSpace& range = spec.feasible_space();
  const bool is_whole = spec.parameter_type() == katib::INT;
  ParameterSpec parameter;
  parameter.name = spec.name();
  parameter.type = is_whole ? ParameterType::kInteger : ParameterType::kDouble;
  VERNIER_ASSIGN_OR_RETURN(parameter.min_value,
                           ReadBound(spec, "min", range.min()));
  VERNIER_ASSIGN_OR_RETURN(parameter.max_value,
                           ReadBound(spec, "max", range.max()));
  VERNIER_ASSIGN_OR_RETURN(const double step, ReadStep(spec));
  const double least = is_whole ? kLeastLogInteger : kLeastLogDouble;
  const bool is_lifted = IsLogarithmic(spec) && parameter.min_value < least;
  if (is_lifted) parameter.min_value = least;
  if (IsLogarithmic(spec)) parameter.scale = ScaleType::kLog;
  if (!(parameter.min_value <= parameter.max_value) ||
      !std::isfinite(parameter.max_value - parameter.min_value)) {
    return WrongParameter(
        spec,
        absl::StrCat("min must be <= max: ", NumberText(parameter.min_value),
                     " > ", NumberText(parameter.max_value),
                     is_lifted ? " (min of a logarithmic range)" : ""));
  }
  Form form;
  form.type = parameter.type;
  if (step > 0) {
    AddSteps(step, std::move(parameter), std::move(form));
  } else {
    parameters_.push_back(std::move(parameter));
    forms_.push_back(std::move(form));
  }
  return absl::OkStatus();
}

// The numbers of steps would be on another scale than the values, so steps of a
// logarithmic range are listed, or dropped if there are too many.
void KatibSpace::AddSteps(double step, ParameterSpec parameter, Form form) {
  const double count = NumSteps(parameter.min_value, parameter.max_value, step);
  form.first = parameter.min_value;
  form.last = parameter.max_value;
  if (parameter.scale == ScaleType::kLog) {
    if (count <= kMostValues) {
      for (double number = 0; number < count; ++number) {
        parameter.discrete_values.push_back(
            std::min(StepValue(form.first, step, number), form.last));
      }
      parameter.type = ParameterType::kDiscrete;
    }
  } else if (count <= kMaxExactInteger) {
    parameter.type = ParameterType::kInteger;
    parameter.min_value = 0;
    parameter.max_value = count - 1;
    form.step = step;
  }
  parameters_.push_back(std::move(parameter));
  forms_.push_back(std::move(form));
}

absl::Status KatibSpace::AddList(const katib::ParameterSpec& spec) {
  const auto& list = spec.feasible_space().list();
  if (list.empty() || list.size() > kMostValues) {
    return WrongParameter(spec,
                          absl::StrCat("list must have 1 to ", kMostValues,
                                       " values: ", list.size()));
  }
  ParameterSpec parameter;
  parameter.name = spec.name();
  bool is_numeric = spec.parameter_type() == katib::DISCRETE;
  std::map<double, std::string> numbers;
  std::set<std::string_view> seen;
  for (const std::string& text : list) {
    if (text.size() > kLongestValue) {
      return WrongParameter(
          spec, absl::StrCat("a value may have ", kLongestValue, " bytes: \"",
                             ShowText(text), "\""));
    }
    if (!seen.insert(text).second) continue;
    parameter.categorical_values.push_back(text);
    const std::optional<double> number = NumberIn(text);
    // Two spellings of a number are two values to whoever reads texts.
    is_numeric = is_numeric && number.has_value() &&
                 numbers.emplace(*number, text).second;
  }
  Form form;
  form.type = parameter.type = ParameterType::kCategorical;
  if (is_numeric) {
    form.type = parameter.type = ParameterType::kDiscrete;
    parameter.categorical_values.clear();
    for (const auto& [number, text] : numbers) {
      parameter.discrete_values.push_back(number);
      form.texts.push_back(text);
    }
  }
  parameters_.push_back(std::move(parameter));
  forms_.push_back(std::move(form));
  return absl::OkStatus();
}

absl::Status KatibSpace::CheckIsGrid() const {
  for (const ParameterSpec& parameter : parameters_) {
    if (parameter.type != ParameterType::kDouble ||
        parameter.min_value == parameter.max_value) {
      continue;
    }
    std::string names;
    for (const ParameterSpec& each : parameters_) {
      absl::StrAppend(&names, names.empty() ? "" : ", ", each.name);
    }
    return absl::InvalidArgumentError(absl::StrCat(
        "failed to validate parameters(", ShowText(names), "): Param ",
        ShowText(parameter.name),
        parameter.scale == ScaleType::kLog
            ? absl::StrCat(" has no step, or more than ", kMostValues,
                           " steps of a logarithmic distribution")
            : std::string(" step is nil"),
        "; For discrete search space, all parameters must include step"));
  }
  return absl::OkStatus();
}

std::int64_t KatibSpace::NumConfigurations() const {
  const std::optional<FiniteSpace> grid = FiniteSpace::Create(parameters_);
  return grid.has_value() ? grid->size() : 0;
}

std::optional<Parameters> KatibSpace::ValuesOf(
    const Assignments& assignments) const {
  std::map<std::string_view, const std::string*> texts;
  for (const katib::ParameterAssignment& each : assignments) {
    texts.emplace(each.name(), &each.value());
  }
  Parameters values;
  values.reserve(parameters_.size());
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const auto text = texts.find(parameters_[i].name);
    if (text == texts.end()) return std::nullopt;
    std::optional<ParameterValue> value = ValueOf(i, *text->second);
    if (!value.has_value()) return std::nullopt;
    values.push_back({parameters_[i].name, *std::move(value)});
  }
  return values;
}

std::optional<ParameterValue> KatibSpace::ValueOf(
    std::size_t place, const std::string& text) const {
  const ParameterSpec& parameter = parameters_[place];
  const Form& form = forms_[place];
  if (parameter.type == ParameterType::kCategorical) {
    return vernier::ValueOf(parameter, text);
  }
  const std::optional<double> read = NumberIn(text);
  if (!read.has_value()) return std::nullopt;
  const double number = *read;
  if (form.step.has_value()) {
    const double step = std::round((number - form.first) / *form.step);
    const double value = form.first + step * *form.step;
    if (!IsNear(number, value, *form.step)) return std::nullopt;
    return vernier::ValueOf(parameter, step);
  }
  if (parameter.type == ParameterType::kDiscrete) {
    const auto& values = parameter.discrete_values;
    const auto after = std::lower_bound(values.begin(), values.end(), number);
    if (after != values.end() && IsNear(number, *after, 0)) return *after;
    if (after == values.begin()) return std::nullopt;
    const double before = *std::prev(after);
    if (!IsNear(number, before, 0)) return std::nullopt;
    return before;
  }
  if (parameter.type == ParameterType::kInteger) {
    return vernier::ValueOf(parameter, number);
  }
  const double inside =
      std::clamp(number, parameter.min_value, parameter.max_value);
  if (!IsNear(number, inside, 0)) return std::nullopt;
  return inside;
}

void KatibSpace::Write(const Parameters& values,
                       Assignments* assignments) const {
  for (std::size_t i = 0; i < values.size(); ++i) {
    katib::ParameterAssignment* const each = assignments->Add();
    each->set_name(values[i].name);
    each->set_value(TextOf(i, values[i].value));
  }
}

std::string KatibSpace::TextOf(std::size_t place,
                               const ParameterValue& value) const {
  const ParameterSpec& parameter = parameters_[place];
  const Form& form = forms_[place];
  ParameterSpec shown;
  shown.type = form.type;
  if (form.step.has_value()) {
    const double number =
        std::min(StepValue(form.first, *form.step,
                           static_cast<double>(std::get<std::int64_t>(value))),
                 form.last);
    if (form.type == ParameterType::kInteger) {
      return FormatValue(shown, static_cast<std::int64_t>(number));
    }
    return FormatValue(shown, number);
  }
  if (parameter.type != ParameterType::kDiscrete) {
    return FormatValue(shown, value);
  }
  const double number = std::get<double>(value);
  if (form.texts.empty()) {
    if (form.type == ParameterType::kInteger) {
      return FormatValue(shown, static_cast<std::int64_t>(number));
    }
    return FormatValue(shown, number);
  }
  const auto found = std::lower_bound(parameter.discrete_values.begin(),
                                      parameter.discrete_values.end(), number);
  return form.texts[static_cast<std::size_t>(
      found - parameter.discrete_values.begin())];
}

}  // namespace vernier
