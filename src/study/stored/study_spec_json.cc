// The stored form of a StudySpec. The fields of early stopping and limits are
// written only where they differ from the default, so that studies of earlier
// releases keep their form.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/enum_name.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "study/algorithm_name.h"
#include "study/constraint_parser.h"
#include "study/parameter_type_names.h"
#include "study/stopping/stopping_rule_name.h"
#include "study/study_spec.h"

namespace vernier {
namespace {

constexpr EnumName<Goal> kGoals[] = {{"MAXIMIZE", Goal::kMaximize},
                                     {"MINIMIZE", Goal::kMinimize}};
constexpr EnumName<ObservationNoise> kNoises[] = {
    {"UNSPECIFIED", ObservationNoise::kUnspecified},
    {"LOW", ObservationNoise::kLow},
    {"HIGH", ObservationNoise::kHigh},
};

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
  /// Returns nullopt if the field is absent.
  std::optional<std::int64_t> OptionalInteger(const char* name) {
    if (!Has(name)) return std::nullopt;
    const Json& field = At(name);
    if (field.is_number_integer()) return field.get<std::int64_t>();
    Fail(absl::StrCat(name, " is no integer"));
    return std::nullopt;
  }
  std::optional<double> OptionalNumber(const char* name) {
    if (!Has(name)) return std::nullopt;
    return Number(name);
  }
  /// Returns false if the field is absent.
  bool Bool(const char* name) {
    if (!Has(name)) return false;
    const Json& field = At(name);
    if (field.is_boolean()) return field.get<bool>();
    Fail(absl::StrCat(name, " is no truth value"));
    return false;
  }
  /// Returns the value of the entry whose name the field has.
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
               {"type", NameOf(spec.type)},
               {"scale", NameOf(spec.scale)}};
  if (spec.type == ParameterType::kCategorical) {
    json["values"] = spec.categorical_values;
    if (spec.has_booleans) json["booleans"] = true;
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
  spec.type = fields.Enum("type", kParameterTypes);
  spec.scale = fields.Enum("scale", kScaleTypes);
  if (spec.type == ParameterType::kDouble ||
      spec.type == ParameterType::kInteger) {
    spec.min_value = fields.Number("min");
    spec.max_value = fields.Number("max");
  } else {
    VERNIER_RETURN_IF_ERROR(ReadValues(fields.At("values"), &spec));
    spec.has_booleans = fields.Bool("booleans");
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

Json StoppingToJson(const EarlyStoppingOptions& options) {
  const EarlyStoppingOptions usual;
  Json json = Json::object();
  if (options.min_steps.has_value()) json["minSteps"] = *options.min_steps;
  if (options.max_steps.has_value()) json["maxSteps"] = *options.max_steps;
  if (options.reduction_factor != usual.reduction_factor) {
    json["reductionFactor"] = options.reduction_factor;
  }
  if (options.brackets.has_value()) json["brackets"] = *options.brackets;
  if (options.min_win_probability != usual.min_win_probability) {
    json["minWinProbability"] = options.min_win_probability;
  }
  return json;
}

Json LimitsToJson(const StudyLimits& limits) {
  Json json = Json::object();
  if (limits.target.has_value()) json["target"] = *limits.target;
  if (limits.no_progress.has_value()) {
    json["noProgress"] = {{"trials", limits.no_progress->trials},
                          {"gain", limits.no_progress->gain}};
  }
  if (limits.max_time.has_value()) {
    json["maxTimeSeconds"] = limits.max_time->count();
  }
  if (limits.max_steps.has_value()) json["maxSteps"] = *limits.max_steps;
  if (limits.max_gpu_time.has_value()) {
    json["maxGpuTimeSeconds"] = limits.max_gpu_time->count();
  }
  return json;
}

EarlyStoppingOptions StoppingFromJson(Fields& fields) {
  EarlyStoppingOptions options;
  options.min_steps = fields.OptionalInteger("minSteps");
  options.max_steps = fields.OptionalInteger("maxSteps");
  if (fields.Has("reductionFactor")) {
    options.reduction_factor = fields.Number("reductionFactor");
  }
  if (const auto brackets = fields.OptionalInteger("brackets")) {
    // The cast must not turn a value out of bounds into a valid one.
    options.brackets =
        static_cast<int>(std::clamp<std::int64_t>(*brackets, 0, 1000));
  }
  if (fields.Has("minWinProbability")) {
    options.min_win_probability = fields.Number("minWinProbability");
  }
  return options;
}

absl::StatusOr<StudyLimits> LimitsFromJson(Fields& fields) {
  StudyLimits limits;
  const auto seconds = [&](const char* name) {
    std::optional<std::chrono::seconds> time;
    if (const auto count = fields.OptionalInteger(name)) {
      time = std::chrono::seconds(*count);
    }
    return time;
  };
  if (fields.Has("target")) limits.target = fields.Number("target");
  if (fields.Has("noProgress")) {
    Fields limit(fields.At("noProgress"));
    NoProgressLimit& no_progress = limits.no_progress.emplace();
    no_progress.trials = static_cast<int>(std::clamp<std::int64_t>(
        limit.OptionalInteger("trials").value_or(0), 0, 1'000'000));
    no_progress.gain = limit.Number("gain");
    VERNIER_RETURN_IF_ERROR(limit.status());
  }
  limits.max_time = seconds("maxTimeSeconds");
  limits.max_steps = fields.OptionalInteger("maxSteps");
  limits.max_gpu_time = seconds("maxGpuTimeSeconds");
  return limits;
}

Json BeliefsToJson(const std::vector<Belief>& beliefs) {
  Json json = Json::object();
  for (const Belief& belief : beliefs) {
    Json& item = json[belief.parameter] = Json::object();
    if (const auto* const number = std::get_if<double>(&belief.near)) {
      item["near"] = *number;
    } else {
      item["near"] = std::get<std::string>(belief.near);
    }
    if (belief.within.has_value()) item["within"] = ToString(*belief.within);
  }
  return json;
}

absl::Status ReadFormerNames(const Json& json, FormerNames* names) {
  if (!json.is_object()) return NotASpec("renamedFrom is no object");
  for (const auto& [metric, former] : json.items()) {
    if (!former.is_array()) return NotASpec("renamedFrom has no list");
    std::vector<std::string>& list = (*names)[metric];
    for (const Json& name : former) {
      if (!name.is_string()) return NotASpec("a name of renamedFrom");
      list.push_back(name.get<std::string>());
    }
  }
  return absl::OkStatus();
}

void AddStopping(const StudySpec& spec, Json* json) {
  Json options = StoppingToJson(spec.stopping_options);
  if (!options.empty()) (*json)["stoppingOptions"] = std::move(options);
  if (spec.can_resume) (*json)["canResume"] = true;
  if (spec.limits != StudyLimits())
    (*json)["limits"] = LimitsToJson(spec.limits);
  if (spec.is_per_cost) (*json)["perCost"] = true;
  if (IsRepeating(spec.repeats)) (*json)["repeats"] = ToString(spec.repeats);
  const PriorStudySettings& priors = spec.prior_studies;
  if (!priors.studies.empty()) (*json)["priorStudies"] = priors.studies;
  if (!priors.rename.empty()) (*json)["priorRename"] = priors.rename;
  if (!spec.beliefs.empty()) (*json)["beliefs"] = BeliefsToJson(spec.beliefs);
}

absl::Status ReadPriorStudies(Fields& fields, PriorStudySettings* priors) {
  if (fields.Has("priorStudies")) {
    const Json& names = fields.At("priorStudies");
    if (!names.is_array()) return NotASpec("priorStudies is no list");
    for (const Json& name : names) {
      if (!name.is_string()) return NotASpec("a name of priorStudies");
      priors->studies.push_back(name.get<std::string>());
    }
  }
  if (fields.Has("priorRename")) {
    const Json& rename = fields.At("priorRename");
    if (!rename.is_object()) return NotASpec("priorRename is no object");
    for (const auto& [theirs, ours] : rename.items()) {
      if (!ours.is_string()) return NotASpec("a name of priorRename");
      priors->rename[theirs] = ours.get<std::string>();
    }
  }
  return absl::OkStatus();
}

// The parameters may have been edited since, so that one of a belief is gone.
absl::Status ReadBeliefs(const Json& json, std::vector<Belief>* beliefs) {
  if (!json.is_object()) return NotASpec("beliefs is no object");
  for (const auto& [name, item] : json.items()) {
    Fields fields(item);
    Belief belief{name, {}, std::nullopt};
    const Json& near = fields.At("near");
    if (near.is_string()) {
      belief.near = near.get<std::string>();
    } else {
      belief.near = fields.Number("near");
    }
    if (fields.Has("within")) {
      belief.within = WidthFromText(fields.Text("within"));
      if (!belief.within.has_value()) return NotASpec("within of a belief");
    }
    VERNIER_RETURN_IF_ERROR(fields.status());
    beliefs->push_back(std::move(belief));
  }
  return absl::OkStatus();
}

absl::Status ReadStopping(Fields& fields, StudySpec* spec) {
  spec->can_resume = fields.Bool("canResume");
  spec->is_per_cost = fields.Bool("perCost");
  if (fields.Has("repeats")) {
    const auto repeats = RepeatsFromText(fields.Text("repeats"));
    if (!repeats.has_value()) return NotASpec("repeats is unknown");
    spec->repeats = *repeats;
  }
  VERNIER_RETURN_IF_ERROR(ReadPriorStudies(fields, &spec->prior_studies));
  if (fields.Has("beliefs")) {
    VERNIER_RETURN_IF_ERROR(ReadBeliefs(fields.At("beliefs"), &spec->beliefs));
  }
  if (fields.Has("stoppingOptions")) {
    Fields options(fields.At("stoppingOptions"));
    spec->stopping_options = StoppingFromJson(options);
    VERNIER_RETURN_IF_ERROR(options.status());
  }
  if (fields.Has("limits")) {
    Fields limits(fields.At("limits"));
    VERNIER_ASSIGN_OR_RETURN(spec->limits, LimitsFromJson(limits));
    VERNIER_RETURN_IF_ERROR(limits.status());
  }
  return absl::OkStatus();
}

void AddConstraints(const std::vector<OutcomeConstraint>& constraints,
                    Json* json) {
  if (constraints.empty()) return;
  Json list = Json::array();
  for (const OutcomeConstraint& constraint : constraints) {
    Json& item = list.emplace_back(Json{{"metric", constraint.metric}});
    if (constraint.min.has_value()) item["min"] = *constraint.min;
    if (constraint.max.has_value()) item["max"] = *constraint.max;
  }
  (*json)["constraints"] = std::move(list);
}

absl::Status ReadConstraints(const Json& json,
                             std::vector<OutcomeConstraint>* constraints) {
  for (const Json& item : json) {
    Fields fields(item);
    constraints->push_back({fields.Text("metric"), fields.OptionalNumber("min"),
                            fields.OptionalNumber("max")});
    VERNIER_RETURN_IF_ERROR(fields.status());
  }
  return absl::OkStatus();
}

absl::Status ReadParameterConstraints(const Json& json, StudySpec* spec) {
  std::vector<std::string> texts;
  for (const Json& item : json) {
    if (!item.is_string()) {
      return absl::InvalidArgumentError(
          "parameterConstraints must be a list of strings");
    }
    texts.push_back(item.get<std::string>());
  }
  VERNIER_ASSIGN_OR_RETURN(spec->parameter_constraints,
                           ParseParameterConstraints(texts, spec->parameters));
  return absl::OkStatus();
}

}  // namespace

std::string StudySpecToJson(const StudySpec& spec) {
  Json metrics = Json::array();
  for (const MetricGoal& metric : spec.metrics) {
    Json& json = metrics.emplace_back(
        Json{{"name", metric.name}, {"goal", NameIn(kGoals, metric.goal)}});
    if (metric.reference.has_value()) json["reference"] = *metric.reference;
  }
  Json parameters = Json::array();
  for (const ParameterSpec& parameter : spec.parameters) {
    parameters.push_back(ParameterToJson(parameter));
  }
  Json json = {{"metrics", std::move(metrics)},
               {"parameters", std::move(parameters)},
               {"algorithm", AlgorithmName(spec.algorithm)},
               {"stoppingRule", std::string(ToString(spec.stopping_rule))},
               {"noise", NameIn(kNoises, spec.noise)}};
  AddConstraints(spec.constraints, &json);
  if (!spec.renamed_from.empty()) json["renamedFrom"] = spec.renamed_from;
  if (!spec.parameter_constraints.empty()) {
    json["parameterConstraints"] = TextsOf(spec.parameter_constraints);
  }
  AddStopping(spec, &json);
  return DumpJson(json);
}

absl::StatusOr<StudySpec> StudySpecFromJson(std::string_view text) {
  VERNIER_ASSIGN_OR_RETURN(const Json json, ParseJson(text));
  Fields fields(json);
  StudySpec spec;
  spec.algorithm = fields.Enum("algorithm", kAlgorithmNames);
  spec.stopping_rule = fields.Enum("stoppingRule", kStoppingRuleNames);
  spec.noise = fields.Enum("noise", kNoises);
  for (const Json& item : fields.At("metrics")) {
    Fields metric(item);
    spec.metrics.push_back({metric.Text("name"), metric.Enum("goal", kGoals),
                            metric.OptionalNumber("reference")});
    VERNIER_RETURN_IF_ERROR(metric.status());
  }
  if (fields.Has("constraints")) {
    VERNIER_RETURN_IF_ERROR(
        ReadConstraints(fields.At("constraints"), &spec.constraints));
  }
  if (fields.Has("renamedFrom")) {
    VERNIER_RETURN_IF_ERROR(
        ReadFormerNames(fields.At("renamedFrom"), &spec.renamed_from));
  }
  for (const Json& item : fields.At("parameters")) {
    VERNIER_ASSIGN_OR_RETURN(ParameterSpec parameter,
                             ParameterFromJson(item, spec.parameters));
    spec.parameters.push_back(std::move(parameter));
  }
  if (fields.Has("parameterConstraints")) {
    VERNIER_RETURN_IF_ERROR(
        ReadParameterConstraints(fields.At("parameterConstraints"), &spec));
  }
  VERNIER_RETURN_IF_ERROR(ReadStopping(fields, &spec));
  VERNIER_RETURN_IF_ERROR(fields.status());
  // A study whose trials declare its parameters has none at first.
  VERNIER_RETURN_IF_ERROR(spec.parameters.empty() ? ValidateMetrics(spec)
                                                  : ValidateStudySpec(spec));
  return spec;
}

}  // namespace vernier
