// trainingInput.hyperparameters.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "study/job_sections.h"
#include "study/number_text.h"

namespace vernier {
namespace {

// The service's own limit is on discrete values; the others are ours.
constexpr std::size_t kMaxDiscreteValues = 1000;
constexpr std::size_t kMaxCategoricalValues = 1000;
constexpr std::size_t kMaxParameters = 1000;
constexpr std::size_t kMaxNameLength = 256;
constexpr std::int64_t kMaxTrialCount = 1'000'000;

constexpr EnumName<Goal> kGoals[] = {
    {"GOAL_TYPE_UNSPECIFIED", Goal::kMaximize},
    {"MAXIMIZE", Goal::kMaximize},
    {"MINIMIZE", Goal::kMinimize},
};

constexpr EnumName<Algorithm> kAlgorithms[] = {
    {"ALGORITHM_UNSPECIFIED", Algorithm::kDefault},
    {"GRID_SEARCH", Algorithm::kGridSearch},
    {"RANDOM_SEARCH", Algorithm::kRandomSearch},
};

constexpr EnumName<ParameterType> kParameterTypes[] = {
    {"DOUBLE", ParameterType::kDouble},
    {"INTEGER", ParameterType::kInteger},
    {"CATEGORICAL", ParameterType::kCategorical},
    {"DISCRETE", ParameterType::kDiscrete},
};

constexpr EnumName<ScaleType> kScaleTypes[] = {
    {"NONE", ScaleType::kNone},
    {"UNIT_LINEAR_SCALE", ScaleType::kLinear},
    {"UNIT_LOG_SCALE", ScaleType::kLog},
    {"UNIT_REVERSE_LOG_SCALE", ScaleType::kReverseLog},
};

std::string_view Name(ParameterType type) {
  for (const auto& entry : kParameterTypes) {
    if (entry.value == type) return entry.name;
  }
  return "";
}

std::string_view Name(ScaleType type) {
  for (const auto& entry : kScaleTypes) {
    if (entry.value == type) return entry.name;
  }
  return "";
}

// What the file holds of a parameter; which of it must be there depends on the
// type.
struct RawParameter {
  std::optional<std::string> name;
  std::optional<ParameterType> type;
  std::optional<double> min_value;
  std::optional<double> max_value;
  std::vector<std::string> categorical_values;
  std::vector<double> discrete_values;
  std::optional<ScaleType> scale;
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
  } else if (name.size() > kMaxNameLength) {
    param.Error("parameterName",
                "must have at most " + std::to_string(kMaxNameLength) +
                    " characters: " + std::to_string(name.size()));
  }
}

void CheckAbsent(ObjectReader& param, bool is_given, std::string_view key,
                 ParameterType type) {
  if (!is_given) return;
  param.Error(key, "must not be given for type " + std::string(Name(type)));
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
    param.Error(key, "is required for type " + std::string(Name(*raw.type)));
  }
  CheckAbsent(param, !raw.categorical_values.empty(), "categoricalValues",
              *raw.type);
  CheckAbsent(param, !raw.discrete_values.empty(), "discreteValues", *raw.type);
  if (raw.min_value) CheckBound(param, "minValue", *raw.min_value, raw);
  if (raw.max_value) CheckBound(param, "maxValue", *raw.max_value, raw);
  if (raw.min_value && IsLogarithmic(raw) && *raw.min_value <= 0) {
    param.ValueError("minValue", "must be > 0 with scaleType " +
                                     std::string(Name(*raw.scale)));
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
  if (values.empty()) {
    param.Error(kKey, "must list at least one value for type CATEGORICAL");
  } else if (values.size() > kMaxCategoricalValues) {
    param.Error(kKey, "must list at most " +
                          std::to_string(kMaxCategoricalValues) +
                          " values: " + std::to_string(values.size()));
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
  if (!param.Has(kKey) || values.empty()) {
    param.Error(kKey, "must list at least one number for type DISCRETE");
    return;
  }
  if (values.size() > kMaxDiscreteValues) {
    param.Error(kKey, "must list at most " +
                          std::to_string(kMaxDiscreteValues) +
                          " values: " + std::to_string(values.size()));
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
                          std::string(Name(*raw.scale)) + ": " +
                          NumberText(smallest));
  }
}

RawParameter ReadRaw(ObjectReader& param) {
  RawParameter raw;
  raw.name = param.String("parameterName");
  raw.type = param.Enum("type", kParameterTypes);
  raw.min_value = param.Number("minValue");
  raw.max_value = param.Number("maxValue");
  raw.categorical_values = param.Strings("categoricalValues");
  raw.discrete_values = param.Numbers("discreteValues");
  raw.scale = param.Enum("scaleType", kScaleTypes);
  return raw;
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
  spec.categorical_values = std::move(raw.categorical_values);
  spec.discrete_values = std::move(raw.discrete_values);
  spec.scale = raw.scale.value_or(ScaleType::kNone);
  return spec;
}

void CheckNamesDiffer(const std::vector<ParameterSpec>& params,
                      std::vector<ObjectReader>& readers) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < params.size(); ++i) {
    if (params[i].name.empty() || names.insert(params[i].name).second) continue;
    readers[i].ValueError("parameterName", "must be unique among params");
  }
}

void CheckSuitsGrid(const std::vector<ParameterSpec>& params,
                    std::vector<ObjectReader>& readers) {
  for (std::size_t i = 0; i < params.size(); ++i) {
    if (params[i].type != ParameterType::kDouble || !readers[i].Has("type")) {
      continue;
    }
    readers[i].ValueError("type",
                          "must be INTEGER, CATEGORICAL or DISCRETE, since the "
                          "algorithm is GRID_SEARCH");
  }
}

void CheckParamCount(ObjectReader& section, const HyperparameterSpec& spec) {
  if (spec.params.size() > kMaxParameters) {
    section.Error("params",
                  "must list at most " + std::to_string(kMaxParameters) +
                      " parameters: " + std::to_string(spec.params.size()));
  }
  if (spec.params.empty() && spec.resume_previous_job_id.empty()) {
    section.Error("params",
                  "must list at least one parameter, unless "
                  "resumePreviousJobId names an earlier job");
  }
}

void CheckTrialCounts(ObjectReader& section, const HyperparameterSpec& spec) {
  const auto check = [&](std::string_view key, int count) {
    if (count <= spec.max_trials) return;
    section.Error(key, "must be <= maxTrials: " + std::to_string(count) +
                           " > " + std::to_string(spec.max_trials));
  };
  check("maxParallelTrials", spec.max_parallel_trials);
  check("maxFailedTrials", spec.max_failed_trials);
}

Algorithm ReadAlgorithm(ObjectReader& section) {
  if (section.RawText("algorithm") == "QUASI_RANDOM_SEARCH") {
    section.ValueError("algorithm",
                       "must be given as vernier.algorithm, since AI Platform "
                       "does not have it");
    return Algorithm::kDefault;
  }
  return section.Enum("algorithm", kAlgorithms).value_or(Algorithm::kDefault);
}

}  // namespace

HyperparameterSpec ReadHyperparameters(
    ObjectReader& section, std::optional<Algorithm> override_algorithm) {
  HyperparameterSpec spec;
  spec.goal = section.Enum("goal", kGoals).value_or(spec.goal);
  std::vector<ObjectReader> params = section.Children("params");
  for (ObjectReader& param : params) {
    spec.params.push_back(ReadParameter(param));
  }
  section.AttachList("params", params);
  const IntegerRange trials = {1, kMaxTrialCount};
  spec.max_trials =
      section.Integer("maxTrials", trials).value_or(spec.max_trials);
  spec.max_parallel_trials = section.Integer("maxParallelTrials", trials)
                                 .value_or(spec.max_parallel_trials);
  spec.max_failed_trials =
      section.Integer("maxFailedTrials", {0, kMaxTrialCount})
          .value_or(spec.max_failed_trials);
  spec.metric_tag =
      section.String("hyperparameterMetricTag").value_or(spec.metric_tag);
  spec.resume_previous_job_id =
      section.String("resumePreviousJobId").value_or("");
  spec.enable_trial_early_stopping =
      section.Bool("enableTrialEarlyStopping").value_or(false);
  spec.algorithm = ReadAlgorithm(section);

  if (!spec.resume_previous_job_id.empty() &&
      !IsJobId(spec.resume_previous_job_id)) {
    section.ValueError("resumePreviousJobId", std::string(kJobIdRule));
  }
  CheckParamCount(section, spec);
  CheckTrialCounts(section, spec);
  CheckNamesDiffer(spec.params, params);
  if (override_algorithm.value_or(spec.algorithm) == Algorithm::kGridSearch) {
    CheckSuitsGrid(spec.params, params);
  }
  return spec;
}

}  // namespace vernier
