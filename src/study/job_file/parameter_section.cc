// trainingInput.hyperparameters.params: the search space.

#include "study/job_file/parameter_section.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/number_text.h"
#include "base/shown_text.h"
#include "study/job_file/parameter_condition_section.h"
#include "study/parameter_name.h"
#include "study/parameter_type_names.h"
#include "study/parameter_value.h"
#include "study/search_space.h"

namespace vernier {
namespace {

// AI Platform limits discrete values itself; the other limits are ours.
constexpr std::size_t kMaxDiscreteValues = 1000;
constexpr std::size_t kMaxCategoricalValues = 1000;
constexpr int kMaxConditionDepth = 16;

constexpr std::string_view kChildren = "childParameterSpecs";

// The fields of a parameter as written in the file. The type decides which of
// them are required.
struct RawParameter {
  std::optional<std::string> name;
  std::optional<ParameterType> type;
  std::optional<double> min_value;
  std::optional<double> max_value;
  std::vector<std::string> categorical_values;
  bool has_booleans = false;
  std::vector<double> discrete_values;
  bool is_list_too_long = false;  // It was reported, and not read.
  std::optional<ScaleType> scale;
  std::optional<std::string> default_text;
  std::optional<double> default_number;
};

void CheckName(ObjectReader& param, const RawParameter& raw) {
  if (!raw.name) {
    if (param.is_present() && !param.Has("parameterName"))
      param.Error("parameterName", "is required");
    return;
  }
  const std::string& name = *raw.name;
  const auto breaks_flag = [](char c) {
    return static_cast<unsigned char>(c) <= 0x20 || c == '=' || c == 0x7f;
  };
  if (name[0] == '-' || std::any_of(name.begin(), name.end(), breaks_flag)) {
    param.ValueError("parameterName",
                     "must not begin with '-' nor contain spaces or '=', since "
                     "programs get it as --NAME");
  } else if (name.size() > kMaxParameterName) {
    param.Error("parameterName",
                "must have at most " + std::to_string(kMaxParameterName) +
                    " characters: " + std::to_string(name.size()));
  }
}

void CheckAbsent(ObjectReader& param, bool is_given, std::string_view key,
                 ParameterType type) {
  if (!is_given) return;
  param.Error(key, "must not be given for type " + std::string(NameOf(type)));
}

void CheckBound(ObjectReader& param, std::string_view key, double value,
                const RawParameter& raw) {
  if (*raw.type == ParameterType::kInteger &&
      (std::trunc(value) != value || std::fabs(value) > kMaxExactInteger)) {
    param.ValueError(key, "must be an integer within +-2^53 for type INTEGER");
  }
}

bool IsLogarithmic(const RawParameter& raw) {
  return raw.scale == ScaleType::kLog || raw.scale == ScaleType::kReverseLog;
}

void CheckRange(ObjectReader& param, const RawParameter& raw) {
  for (const std::string_view key : {"minValue", "maxValue"}) {
    if (param.Has(key)) continue;
    param.Error(key, "is required for type " + std::string(NameOf(*raw.type)));
  }
  CheckAbsent(param, !raw.categorical_values.empty(), "categoricalValues",
              *raw.type);
  CheckAbsent(param, !raw.discrete_values.empty(), "discreteValues", *raw.type);
  if (raw.min_value) CheckBound(param, "minValue", *raw.min_value, raw);
  if (raw.max_value) CheckBound(param, "maxValue", *raw.max_value, raw);
  if (raw.min_value && IsLogarithmic(raw) && *raw.min_value <= 0) {
    param.ValueError("minValue", "must be > 0 with scaleType " +
                                     std::string(NameOf(*raw.scale)));
  }
  if (!raw.min_value || !raw.max_value) return;
  const std::string bounds =
      NumberText(*raw.min_value) + " > " + NumberText(*raw.max_value);
  if (*raw.min_value > *raw.max_value) {
    param.Error("minValue", "must be <= maxValue: " + bounds);
  } else if (!std::isfinite(*raw.max_value - *raw.min_value)) {
    param.Error("maxValue",
                "maxValue - minValue must be a number that a double can hold");
  }
}

void CheckCategories(ObjectReader& param, const RawParameter& raw) {
  const std::vector<std::string>& values = raw.categorical_values;
  constexpr std::string_view kKey = "categoricalValues";
  CheckAbsent(param, param.Has("minValue"), "minValue", *raw.type);
  CheckAbsent(param, param.Has("maxValue"), "maxValue", *raw.type);
  CheckAbsent(param, !raw.discrete_values.empty(), "discreteValues", *raw.type);
  if (values.empty() && !raw.is_list_too_long) {
    param.Error(kKey, "must list at least one value for type CATEGORICAL");
  }
  std::set<std::string_view> seen;
  for (const std::string& value : values) {
    if (value.empty()) {
      param.Error(kKey, "must not list an empty value");
    } else if (!seen.insert(value).second) {
      param.Error(kKey,
                  "must list each value once: \"" + ShowText(value) + "\"");
    }
  }
  if (raw.scale && *raw.scale != ScaleType::kNone) {
    param.ValueError("scaleType", "must not be given for type CATEGORICAL");
  }
}

void CheckDiscrete(ObjectReader& param, const RawParameter& raw) {
  const std::vector<double>& values = raw.discrete_values;
  constexpr std::string_view kKey = "discreteValues";
  CheckAbsent(param, !raw.categorical_values.empty(), "categoricalValues",
              *raw.type);
  param.MarkIgnored("minValue");
  param.MarkIgnored("maxValue");
  if (raw.is_list_too_long) return;
  if (!param.Has(kKey) || values.empty()) {
    param.Error(kKey, "must list at least one number for type DISCRETE");
    return;
  }
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i] > values[i - 1]) continue;
    param.Error(kKey,
                "must be strictly increasing: " + NumberText(values[i - 1]) +
                    " is followed by " + NumberText(values[i]));
    break;
  }
  const double smallest = *std::min_element(values.begin(), values.end());
  if (IsLogarithmic(raw) && smallest <= 0) {
    param.Error(kKey, "must be > 0 with scaleType " +
                          std::string(NameOf(*raw.scale)) + ": " +
                          NumberText(smallest));
  }
}

// Returns true if the categories true and false are booleans: booleanValues
// decides, or else the file does by writing them without quotes. The normal
// form writes categories as texts, as AI Platform's clients expect, so
// booleanValues is set there.
bool ReadBooleans(ObjectReader& param, const RawParameter& raw) {
  constexpr std::string_view kKey = "booleanValues";
  const std::optional<bool> given = param.Bool(kKey);
  if (!given.has_value()) {
    const bool are_written = param.ListsBooleans("categoricalValues");
    if (are_written) param.SetBool(kKey, true);
    return are_written;
  }
  const bool has_any = std::any_of(
      raw.categorical_values.begin(), raw.categorical_values.end(),
      [](const std::string& value) { return BooleanOf(value).has_value(); });
  if (*given && !has_any) {
    param.Error(kKey,
                "must not be true, since none of the categoricalValues is true "
                "or false");
  }
  return *given;
}

RawParameter ReadRaw(ObjectReader& param) {
  RawParameter raw;
  raw.name = param.String("parameterName");
  raw.type = param.Enum("type", kParameterTypes);
  raw.min_value = param.Number("minValue");
  raw.max_value = param.Number("maxValue");
  if (param.HasAtMost("categoricalValues", kMaxCategoricalValues, "values") &&
      param.HasAtMost("discreteValues", kMaxDiscreteValues, "values")) {
    raw.categorical_values = param.Strings("categoricalValues");
    raw.has_booleans = ReadBooleans(param, raw);
    raw.discrete_values = param.Numbers("discreteValues");
  } else {
    raw.is_list_too_long = true;
    (void)param.Has("booleanValues");
  }
  raw.scale = param.Enum("scaleType", kScaleTypes);
  if (raw.type == ParameterType::kCategorical) {
    raw.default_text = param.String("defaultValue");
  } else {
    raw.default_number = param.Number("defaultValue");
  }
  return raw;
}

void SetDefault(ObjectReader& param, const RawParameter& raw,
                ParameterSpec& spec) {
  if (raw.default_text) spec.default_value = ValueOf(spec, *raw.default_text);
  if (raw.default_number) {
    spec.default_value = ValueOf(spec, *raw.default_number);
  }
  if ((raw.default_text || raw.default_number) && !spec.default_value) {
    param.ValueError("defaultValue",
                     "must be a value that the parameter can take");
  }
}

ParameterSpec ReadParameter(ObjectReader& param) {
  RawParameter raw = ReadRaw(param);
  CheckName(param, raw);
  ParameterSpec spec;
  spec.name = raw.name.value_or("");
  if (!raw.type) {
    if (param.is_present() && !param.Has("type")) {
      param.Error("type",
                  "is required: one of DOUBLE, INTEGER, CATEGORICAL, DISCRETE");
    }
    return spec;
  }
  spec.type = *raw.type;
  switch (*raw.type) {
    case ParameterType::kDouble:
    case ParameterType::kInteger:
      CheckRange(param, raw);
      spec.min_value = raw.min_value.value_or(0);
      spec.max_value = raw.max_value.value_or(0);
      break;
    case ParameterType::kCategorical:
      CheckCategories(param, raw);
      break;
    case ParameterType::kDiscrete:
      CheckDiscrete(param, raw);
      break;
  }
  spec.categorical_values = raw.categorical_values;
  spec.has_booleans = raw.has_booleans;
  spec.discrete_values = raw.discrete_values;
  spec.scale = raw.scale.value_or(ScaleType::kNone);
  SetDefault(param, raw, spec);
  return spec;
}

// Reads the list at `key` of `section` and, below each parameter, its children.
void ReadParameters(ObjectReader& section, std::string_view key,
                    std::optional<std::size_t> parent, int depth,
                    SearchSpaceSection& space) {
  if (!section.HasAtMost(key, kMaxParameters - space.params.size(),
                         "parameters")) {
    return;
  }
  std::vector<ObjectReader> readers = section.Children(key);
  std::vector<std::size_t> places;
  for (ObjectReader& reader : readers) {
    ParameterSpec spec = ReadParameter(reader);
    if (parent.has_value()) {
      spec.condition = ReadCondition(reader, space.params[*parent], *parent);
    }
    const bool may_have_children = CanHaveChildren(spec.type);
    const std::size_t place = space.params.size();
    places.push_back(place);
    space.params.push_back(std::move(spec));
    space.readers.push_back(reader);  // For errors reported before its turn.
    if (!reader.Has(kChildren)) continue;
    if (!may_have_children) {
      reader.SkipOutput(kChildren);
      reader.Error(kChildren,
                   "must not be given for type DOUBLE: a condition needs "
                   "distinct values");
    } else if (depth == kMaxConditionDepth) {
      reader.SkipOutput(kChildren);
      reader.Error(kChildren, "must not be nested more than " +
                                  std::to_string(kMaxConditionDepth) +
                                  " levels deep");
    } else {
      ReadParameters(reader, kChildren, place, depth + 1, space);
    }
  }
  section.AttachList(key, readers);
  for (std::size_t i = 0; i < places.size(); ++i) {
    space.readers[places[i]] = std::move(readers[i]);
  }
}

void CheckNamesDiffer(SearchSpaceSection& space) {
  std::map<std::string_view, std::vector<std::size_t>> seen;
  for (std::size_t i = 0; i < space.params.size(); ++i) {
    const std::string& name = space.params[i].name;
    if (name.empty()) continue;
    std::vector<std::size_t>& others = seen[name];
    const auto clash =
        std::find_if(others.begin(), others.end(), [&](std::size_t other) {
          return !AreExclusive(space.params, other, i);
        });
    if (clash != others.end()) {
      space.readers[i].ValueError(
          "parameterName", space.params[i].condition.has_value()
                               ? "must be unique among parameters that can be "
                                 "active together"
                               : "must be unique among params");
    }
    others.push_back(i);
  }
}

}  // namespace

SearchSpaceSection ReadSearchSpace(ObjectReader& section,
                                   std::string_view key) {
  SearchSpaceSection space;
  ReadParameters(section, key, std::nullopt, 0, space);
  CheckNamesDiffer(space);
  return space;
}

void CheckSuitsGrid(SearchSpaceSection& space) {
  for (std::size_t i = 0; i < space.params.size(); ++i) {
    if (space.params[i].type != ParameterType::kDouble ||
        !space.readers[i].Has("type")) {
      continue;
    }
    space.readers[i].ValueError(
        "type",
        "must be INTEGER, CATEGORICAL or DISCRETE, since the algorithm is "
        "GRID_SEARCH");
  }
}

}  // namespace vernier
