// The stored form of a StudySpec.

#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "study/algorithm_name.h"
#include "study/study_spec.h"

namespace vernier {
namespace {

template <typename Value>
struct Named {
  const char* name;
  Value value;
};

constexpr Named<ParameterType> kTypes[] = {
    {"DOUBLE", ParameterType::kDouble},
    {"INTEGER", ParameterType::kInteger},
    {"CATEGORICAL", ParameterType::kCategorical},
    {"DISCRETE", ParameterType::kDiscrete},
};
constexpr Named<ScaleType> kScales[] = {
    {"NONE", ScaleType::kNone},
    {"UNIT_LINEAR_SCALE", ScaleType::kLinear},
    {"UNIT_LOG_SCALE", ScaleType::kLog},
    {"UNIT_REVERSE_LOG_SCALE", ScaleType::kReverseLog},
};
constexpr Named<Goal> kGoals[] = {{"MAXIMIZE", Goal::kMaximize},
                                  {"MINIMIZE", Goal::kMinimize}};
constexpr Named<StoppingRule> kRules[] = {
    {"NONE", StoppingRule::kNone},
    {"MEDIAN", StoppingRule::kMedian},
    {"DECAY_CURVE", StoppingRule::kDecayCurve},
};
constexpr Named<ObservationNoise> kNoises[] = {
    {"UNSPECIFIED", ObservationNoise::kUnspecified},
    {"LOW", ObservationNoise::kLow},
    {"HIGH", ObservationNoise::kHigh},
};

template <typename Value, std::size_t size>
const char* NameOf(const Named<Value> (&table)[size], Value value) {
  for (const Named<Value>& entry : table) {
    if (entry.value == value) return entry.name;
  }
  return "";
}

absl::Status NotASpec(const std::string& what) {
  return absl::InvalidArgumentError(absl::StrCat("not a study spec: ", what));
}

// Reads one JSON object and keeps the first error.
class Fields {
 public:
  explicit Fields(const Json& json) : json_(json) {
    if (!json.is_object()) Fail("an object is missing");
  }

  bool Has(const char* name) const { return json_.contains(name); }

  const Json& At(const char* name) {
    static const Json kNothing;
    if (Has(name)) return json_.at(name);
    Fail(absl::StrCat(name, " is missing"));
    return kNothing;
  }
  std::string Text(const char* name) {
    const Json& field = At(name);
    if (field.is_string()) return field.get<std::string>();
    Fail(absl::StrCat(name, " is no text"));
    return "";
  }
  double Number(const char* name) {
    const Json& field = At(name);
    if (field.is_number()) return field.get<double>();
    Fail(absl::StrCat(name, " is no number"));
    return 0;
  }
  /// The value of the entry with this `name`.
  template <typename Entry, std::size_t size>
  auto Enum(const char* name, const Entry (&table)[size]) {
    const std::string text = Text(name);
    for (const Entry& entry : table) {
      if (text == entry.name) return entry.value;
    }
    Fail(absl::StrCat("unknown ", name, " ", text));
    return table[0].value;
  }
  void Fail(const std::string& what) {
    if (status_.ok()) status_ = NotASpec(what);
  }
  const absl::Status& status() const { return status_; }

 private:
  const Json& json_;
  absl::Status status_;
};

Json ValueToJson(const ParameterValue& value) {
  return std::visit([](const auto& held) { return Json(held); }, value);
}

absl::StatusOr<ParameterValue> ValueFromJson(ParameterType type,
                                             const Json& json) {
  switch (type) {
    case ParameterType::kDouble:
    case ParameterType::kDiscrete:
      if (json.is_number()) return ParameterValue(json.get<double>());
      break;
    case ParameterType::kInteger:
      if (json.is_number_integer()) {
        return ParameterValue(json.get<std::int64_t>());
      }
      break;
    case ParameterType::kCategorical:
      if (json.is_string()) return ParameterValue(json.get<std::string>());
      break;
  }
  return NotASpec("a value is not of its parameter's type");
}

Json ParameterToJson(const ParameterSpec& spec) {
  Json json = {{"name", spec.name},
               {"type", NameOf(kTypes, spec.type)},
               {"scale", NameOf(kScales, spec.scale)}};
  if (spec.type == ParameterType::kCategorical) {
    json["values"] = spec.categorical_values;
  } else if (spec.type == ParameterType::kDiscrete) {
    json["values"] = spec.discrete_values;
  } else {
    json["min"] = spec.min_value;
    json["max"] = spec.max_value;
  }
  if (spec.default_value.has_value()) {
    json["default"] = ValueToJson(*spec.default_value);
  }
  if (spec.condition.has_value()) {
    Json values = Json::array();
    for (const ParameterValue& value : spec.condition->values) {
      values.push_back(ValueToJson(value));
    }
    json["condition"] = {{"parent", spec.condition->parent},
                         {"values", std::move(values)}};
  }
  return json;
}

absl::Status ReadValues(const Json& values, ParameterSpec* spec) {
  for (const Json& item : values) {
    VERNIER_ASSIGN_OR_RETURN(ParameterValue value,
                             ValueFromJson(spec->type, item));
    if (spec->type == ParameterType::kCategorical) {
      spec->categorical_values.push_back(std::get<std::string>(value));
    } else {
      spec->discrete_values.push_back(std::get<double>(value));
    }
  }
  return absl::OkStatus();
}

absl::Status ReadCondition(const Json& json,
                           const std::vector<ParameterSpec>& before,
                           ParameterSpec* spec) {
  Fields fields(json);
  const double parent = fields.Number("parent");
  const Json& values = fields.At("values");
  VERNIER_RETURN_IF_ERROR(fields.status());
  if (!(parent >= 0 && parent < static_cast<double>(before.size()))) {
    return NotASpec("a condition has no parent");
  }
  ParameterCondition condition{static_cast<std::size_t>(parent), {}};
  for (const Json& item : values) {
    VERNIER_ASSIGN_OR_RETURN(
        condition.values.emplace_back(),
        ValueFromJson(before[condition.parent].type, item));
  }
  spec->condition = std::move(condition);
  return absl::OkStatus();
}

absl::StatusOr<ParameterSpec> ParameterFromJson(
    const Json& json, const std::vector<ParameterSpec>& before) {
  Fields fields(json);
  ParameterSpec spec;
  spec.name = fields.Text("name");
  spec.type = fields.Enum("type", kTypes);
  spec.scale = fields.Enum("scale", kScales);
  if (spec.type == ParameterType::kDouble ||
      spec.type == ParameterType::kInteger) {
    spec.min_value = fields.Number("min");
    spec.max_value = fields.Number("max");
  } else {
    VERNIER_RETURN_IF_ERROR(ReadValues(fields.At("values"), &spec));
  }
  VERNIER_RETURN_IF_ERROR(fields.status());
  if (fields.Has("default")) {
    VERNIER_ASSIGN_OR_RETURN(spec.default_value,
                             ValueFromJson(spec.type, fields.At("default")));
  }
  if (fields.Has("condition")) {
    VERNIER_RETURN_IF_ERROR(
        ReadCondition(fields.At("condition"), before, &spec));
  }
  return spec;
}

}  // namespace

std::string StudySpecToJson(const StudySpec& spec) {
  Json metrics = Json::array();
  for (const MetricGoal& metric : spec.metrics) {
    metrics.push_back(
        {{"name", metric.name}, {"goal", NameOf(kGoals, metric.goal)}});
  }
  Json parameters = Json::array();
  for (const ParameterSpec& parameter : spec.parameters) {
    parameters.push_back(ParameterToJson(parameter));
  }
  return DumpJson({{"metrics", std::move(metrics)},
                   {"parameters", std::move(parameters)},
                   {"algorithm", AlgorithmName(spec.algorithm)},
                   {"stoppingRule", NameOf(kRules, spec.stopping_rule)},
                   {"noise", NameOf(kNoises, spec.noise)}});
}

absl::StatusOr<StudySpec> StudySpecFromJson(std::string_view text) {
  VERNIER_ASSIGN_OR_RETURN(const Json json, ParseJson(text));
  Fields fields(json);
  StudySpec spec;
  spec.algorithm = fields.Enum("algorithm", kAlgorithmNames);
  spec.stopping_rule = fields.Enum("stoppingRule", kRules);
  spec.noise = fields.Enum("noise", kNoises);
  for (const Json& item : fields.At("metrics")) {
    Fields metric(item);
    spec.metrics.push_back({metric.Text("name"), metric.Enum("goal", kGoals)});
    VERNIER_RETURN_IF_ERROR(metric.status());
  }
  for (const Json& item : fields.At("parameters")) {
    VERNIER_ASSIGN_OR_RETURN(ParameterSpec parameter,
                             ParameterFromJson(item, spec.parameters));
    spec.parameters.push_back(std::move(parameter));
  }
  VERNIER_RETURN_IF_ERROR(fields.status());
  VERNIER_RETURN_IF_ERROR(ValidateStudySpec(spec));
  return spec;
}

}  // namespace vernier
