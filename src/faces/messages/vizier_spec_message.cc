// Conversion between OSS Vizier's study specs and ours.

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "faces/messages/vizier_message.h"
#include "study/algorithm_name.h"

namespace vernier {
namespace {

using Spec = vizier::StudySpec::ParameterSpec;
using Child = Spec::ConditionalParameterSpec;

// OSS Vizier's names of algorithms that differ from ours.
struct VizierAlgorithm {
  const char* name;
  std::optional<Algorithm> algorithm;  // Unset: only OSS Vizier has it.
};

constexpr VizierAlgorithm kVizierAlgorithms[] = {
    {"", Algorithm::kDefault},
    {"GP_UCB_PE", Algorithm::kDefault},
    {"GAUSSIAN_PROCESS_BANDIT", Algorithm::kDefault},
    {"NSGA2", std::nullopt},
    {"BOCS", std::nullopt},
    {"HARMONICA", std::nullopt},
    {"CMA_ES", std::nullopt},
    {"EAGLE_STRATEGY", std::nullopt},
};

absl::StatusOr<Algorithm> AlgorithmOf(const std::string& name) {
  if (const auto ours = AlgorithmNamed(name)) return *ours;
  for (const VizierAlgorithm& known : kVizierAlgorithms) {
    if (name != known.name) continue;
    if (known.algorithm.has_value()) return *known.algorithm;
    return absl::UnimplementedError(absl::StrCat(
        "algorithm ", name,
        " of OSS Vizier is not here; DEFAULT, GAUSSIAN_PROCESS_BANDIT, "
        "GP_UCB_PE, RANDOM_SEARCH, QUASI_RANDOM_SEARCH, GRID_SEARCH and "
        "SHUFFLED_GRID_SEARCH are"));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("unknown algorithm: \"", name, "\""));
}

absl::Status Wrong(const Spec& spec, const std::string& why) {
  return absl::InvalidArgumentError(
      absl::StrCat("parameter \"", spec.parameter_id(), "\" ", why));
}

// Vizier's scales have the same numbers as ours.
static_assert(static_cast<int>(ScaleType::kLinear) == Spec::UNIT_LINEAR_SCALE);
static_assert(static_cast<int>(ScaleType::kLog) == Spec::UNIT_LOG_SCALE);
static_assert(static_cast<int>(ScaleType::kReverseLog) ==
              Spec::UNIT_REVERSE_LOG_SCALE);
static_assert(static_cast<int>(ObservationNoise::kHigh) ==
              vizier::StudySpec::HIGH);

absl::Status ReadInteger(const Spec& from, ParameterSpec* to) {
  constexpr auto kMost = static_cast<std::int64_t>(kMaxExactInteger);
  const auto& range = from.integer_value_spec();
  for (const std::int64_t bound : {range.min_value(), range.max_value()}) {
    // The bound is checked before it becomes a double, which would round it.
    if (bound >= -kMost && bound <= kMost) continue;
    return Wrong(from, absl::StrCat("must have bounds within +-2^53: ", bound));
  }
  to->type = ParameterType::kInteger;
  to->min_value = static_cast<double>(range.min_value());
  to->max_value = static_cast<double>(range.max_value());
  if (range.has_default_value()) {
    to->default_value = range.default_value().value();
  }
  return absl::OkStatus();
}

absl::StatusOr<ParameterSpec> ReadParameter(const Spec& from) {
  ParameterSpec to;
  to.name = from.parameter_id();
  switch (from.parameter_value_spec_case()) {
    case Spec::kDoubleValueSpec: {
      const auto& range = from.double_value_spec();
      to.type = ParameterType::kDouble;
      to.min_value = range.min_value();
      to.max_value = range.max_value();
      if (range.has_default_value()) {
        to.default_value = range.default_value().value();
      }
      break;
    }
    case Spec::kIntegerValueSpec:
      VERNIER_RETURN_IF_ERROR(ReadInteger(from, &to));
      break;
    case Spec::kCategoricalValueSpec: {
      const auto& values = from.categorical_value_spec();
      to.type = ParameterType::kCategorical;
      to.categorical_values.assign(values.values().begin(),
                                   values.values().end());
      if (values.has_default_value()) {
        to.default_value = values.default_value().value();
      }
      return to;  // A category has no scale.
    }
    case Spec::kDiscreteValueSpec: {
      const auto& values = from.discrete_value_spec();
      to.type = ParameterType::kDiscrete;
      to.discrete_values.assign(values.values().begin(), values.values().end());
      if (values.has_default_value()) {
        to.default_value = values.default_value().value();
      }
      break;
    }
    case Spec::PARAMETER_VALUE_SPEC_NOT_SET:
      return Wrong(from, "has no values");
  }
  if (!Spec::ScaleType_IsValid(from.scale_type())) {
    return Wrong(from, absl::StrCat("has no scale_type ",
                                    static_cast<int>(from.scale_type())));
  }
  to.scale = static_cast<ScaleType>(from.scale_type());
  return to;
}

// Reads the condition's values; ValidateStudySpec compares them with the
// parent's.
ParameterCondition ReadCondition(const Child& child, std::size_t parent) {
  ParameterCondition condition{parent, {}};
  for (const double value : child.parent_discrete_values().values()) {
    condition.values.emplace_back(value);
  }
  for (const std::int64_t value : child.parent_int_values().values()) {
    condition.values.emplace_back(value);
  }
  for (const std::string& value : child.parent_categorical_values().values()) {
    condition.values.emplace_back(value);
  }
  return condition;
}

constexpr int kMaxDepth = 16;

absl::Status AppendParameter(const Spec& from,
                             std::optional<ParameterCondition> condition,
                             int depth, std::vector<ParameterSpec>* space) {
  if (depth > kMaxDepth) {
    return Wrong(from, absl::StrCat("is nested deeper than ", kMaxDepth));
  }
  VERNIER_ASSIGN_OR_RETURN(ParameterSpec parameter, ReadParameter(from));
  parameter.condition = std::move(condition);
  const std::size_t position = space->size();
  space->push_back(std::move(parameter));
  for (const Child& child : from.conditional_parameter_specs()) {
    VERNIER_RETURN_IF_ERROR(AppendParameter(child.parameter_spec(),
                                            ReadCondition(child, position),
                                            depth + 1, space));
  }
  return absl::OkStatus();
}

void PrintValues(const ParameterSpec& from, Spec* to) {
  const auto& value = from.default_value;
  switch (from.type) {
    case ParameterType::kDouble: {
      auto* range = to->mutable_double_value_spec();
      range->set_min_value(from.min_value);
      range->set_max_value(from.max_value);
      if (value) {
        range->mutable_default_value()->set_value(std::get<double>(*value));
      }
      return;
    }
    case ParameterType::kInteger: {
      auto* range = to->mutable_integer_value_spec();
      range->set_min_value(static_cast<std::int64_t>(from.min_value));
      range->set_max_value(static_cast<std::int64_t>(from.max_value));
      if (value) {
        range->mutable_default_value()->set_value(
            std::get<std::int64_t>(*value));
      }
      return;
    }
    case ParameterType::kCategorical: {
      auto* values = to->mutable_categorical_value_spec();
      for (const std::string& one : from.categorical_values) {
        values->add_values(one);
      }
      if (value) {
        values->mutable_default_value()->set_value(
            std::get<std::string>(*value));
      }
      return;
    }
    case ParameterType::kDiscrete: {
      auto* values = to->mutable_discrete_value_spec();
      for (const double one : from.discrete_values) values->add_values(one);
      if (value) {
        values->mutable_default_value()->set_value(std::get<double>(*value));
      }
      return;
    }
  }
}

void PrintCondition(const ParameterCondition& condition, Child* child) {
  for (const ParameterValue& value : condition.values) {
    if (const auto* number = std::get_if<double>(&value)) {
      child->mutable_parent_discrete_values()->add_values(*number);
    } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      child->mutable_parent_int_values()->add_values(*integer);
    } else {
      child->mutable_parent_categorical_values()->add_values(
          std::get<std::string>(value));
    }
  }
}

void PrintParameter(const std::vector<ParameterSpec>& space,
                    std::size_t position, Spec* to) {
  const ParameterSpec& from = space[position];
  to->set_parameter_id(from.name);
  to->set_scale_type(static_cast<Spec::ScaleType>(from.scale));
  PrintValues(from, to);
  for (std::size_t i = position + 1; i < space.size(); ++i) {
    if (!space[i].condition || space[i].condition->parent != position) continue;
    Child* child = to->add_conditional_parameter_specs();
    PrintCondition(*space[i].condition, child);
    PrintParameter(space, i, child->mutable_parameter_spec());
  }
}

}  // namespace

absl::StatusOr<StudySpec> FromVizier(const vizier::StudySpec& spec) {
  StudySpec study;
  VERNIER_ASSIGN_OR_RETURN(study.algorithm, AlgorithmOf(spec.algorithm()));
  using Metric = vizier::StudySpec::MetricSpec;
  for (const Metric& metric : spec.metrics()) {
    if (!Metric::GoalType_IsValid(metric.goal())) {
      return absl::InvalidArgumentError(
          absl::StrCat("metric \"", metric.metric_id(), "\" has no goal ",
                       static_cast<int>(metric.goal())));
    }
    const bool is_minimized = metric.goal() == Metric::MINIMIZE;
    if (!metric.has_safety_config()) {
      study.metrics.push_back({metric.metric_id(), is_minimized
                                                       ? Goal::kMinimize
                                                       : Goal::kMaximize});
      continue;
    }
    // A safety metric must reach its threshold; more has no value.
    OutcomeConstraint constraint{metric.metric_id()};
    (is_minimized ? constraint.max : constraint.min) =
        metric.safety_config().safety_threshold();
    study.constraints.push_back(std::move(constraint));
  }
  for (const Spec& parameter : spec.parameters()) {
    VERNIER_RETURN_IF_ERROR(
        AppendParameter(parameter, std::nullopt, 1, &study.parameters));
  }
  if (spec.has_default_stopping_spec()) {
    study.stopping_rule = StoppingRule::kAuto;
  }
  if (vizier::StudySpec::ObservationNoise_IsValid(spec.observation_noise())) {
    study.noise = static_cast<ObservationNoise>(spec.observation_noise());
  }
  VERNIER_RETURN_IF_ERROR(ValidateStudySpec(study));
  return study;
}

vizier::StudySpec ToVizier(const StudySpec& study) {
  vizier::StudySpec spec;
  spec.set_algorithm(AlgorithmName(study.algorithm));
  for (const MetricGoal& metric : study.metrics) {
    auto* to = spec.add_metrics();
    to->set_metric_id(metric.name);
    to->set_goal(metric.goal == Goal::kMinimize
                     ? vizier::StudySpec::MetricSpec::MINIMIZE
                     : vizier::StudySpec::MetricSpec::MAXIMIZE);
  }
  // Vizier has one threshold for a metric, and none for an objective.
  for (const OutcomeConstraint& constraint : study.constraints) {
    auto* to = spec.add_metrics();
    to->set_metric_id(constraint.metric);
    to->set_goal(constraint.max.has_value()
                     ? vizier::StudySpec::MetricSpec::MINIMIZE
                     : vizier::StudySpec::MetricSpec::MAXIMIZE);
    to->mutable_safety_config()->set_safety_threshold(
        constraint.max.has_value() ? *constraint.max : *constraint.min);
  }
  for (std::size_t i = 0; i < study.parameters.size(); ++i) {
    if (study.parameters[i].condition.has_value()) continue;
    PrintParameter(study.parameters, i, spec.add_parameters());
  }
  if (study.stopping_rule != StoppingRule::kNone) {
    spec.mutable_default_stopping_spec();
  }
  spec.set_observation_noise(
      static_cast<vizier::StudySpec::ObservationNoise>(study.noise));
  return spec;
}

}  // namespace vernier
