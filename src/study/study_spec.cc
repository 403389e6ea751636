#include "study/study_spec.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "study/algorithm_name.h"
#include "study/constraint_parser.h"
#include "study/find_by_name.h"
#include "study/former_names_rule.h"
#include "study/parameter_value.h"
#include "study/search_space.h"

namespace vernier {
namespace {

constexpr std::size_t kMostParameters = 10000;
constexpr std::size_t kMostValues = 1000;
constexpr std::size_t kMaxNameLength = 256;

absl::Status WrongField(const std::string& field, const std::string& why) {
  return absl::InvalidArgumentError(absl::StrCat(field, " ", why));
}

absl::Status CheckName(const std::string& field, const std::string& name) {
  if (!name.empty() && name.size() <= kMaxNameLength) return absl::OkStatus();
  return WrongField(field, absl::StrCat("must have 1 to ", kMaxNameLength,
                                        " bytes: it has ", name.size()));
}

bool IsLog(ScaleType scale) {
  return scale == ScaleType::kLog || scale == ScaleType::kReverseLog;
}

absl::Status CheckRange(const std::string& field, const ParameterSpec& spec) {
  if (!std::isfinite(spec.min_value) || !std::isfinite(spec.max_value) ||
      spec.min_value > spec.max_value) {
    return WrongField(field,
                      absl::StrCat("must have finite bounds, min <= max: [",
                                   spec.min_value, ", ", spec.max_value, "]"));
  }
  if (spec.type == ParameterType::kInteger &&
      (std::fabs(spec.min_value) > kMaxExactInteger ||
       std::fabs(spec.max_value) > kMaxExactInteger)) {
    return WrongField(field,
                      absl::StrCat("must have integer bounds within +-2^53: [",
                                   spec.min_value, ", ", spec.max_value, "]"));
  }
  if (IsLog(spec.scale) && spec.min_value <= 0) {
    return WrongField(field,
                      absl::StrCat("must have a minimum > 0 on a log scale: ",
                                   spec.min_value));
  }
  return absl::OkStatus();
}

absl::Status CheckDiscrete(const std::string& field,
                           const ParameterSpec& spec) {
  const std::vector<double>& values = spec.discrete_values;
  if (values.empty() || values.size() > kMostValues) {
    return WrongField(field, absl::StrCat("must have 1 to ", kMostValues,
                                          " values: ", values.size()));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i]) || (i > 0 && values[i] <= values[i - 1])) {
      return WrongField(
          field, absl::StrCat("must have finite values, strictly increasing:"
                              " values[",
                              i, "]=", values[i]));
    }
  }
  if (IsLog(spec.scale) && values.front() <= 0) {
    return WrongField(
        field,
        absl::StrCat("must have values > 0 on a log scale: ", values.front()));
  }
  return absl::OkStatus();
}

absl::Status CheckCategorical(const std::string& field,
                              const ParameterSpec& spec) {
  const std::vector<std::string>& values = spec.categorical_values;
  if (values.empty() || values.size() > kMostValues) {
    return WrongField(field, absl::StrCat("must have 1 to ", kMostValues,
                                          " values: ", values.size()));
  }
  std::set<std::string> seen;
  for (const std::string& value : values) {
    if (!seen.insert(value).second) {
      return WrongField(
          field, absl::StrCat("must have distinct values: \"", value, "\""));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckCondition(const std::string& field,
                            const std::vector<ParameterSpec>& space,
                            std::size_t position) {
  const auto& condition = space[position].condition;
  if (!condition.has_value()) return absl::OkStatus();
  if (condition->parent >= position) {
    return WrongField(field, "must come after its parent");
  }
  const ParameterSpec& parent = space[condition->parent];
  if (parent.type == ParameterType::kDouble) {
    return WrongField(
        field, absl::StrCat("cannot depend on \"", parent.name,
                            "\", which is DOUBLE: no value of it is likely"));
  }
  if (condition->values.empty()) {
    return WrongField(field,
                      "must name the values of its parent that it needs");
  }
  std::set<ParameterValue> seen;
  for (const ParameterValue& value : condition->values) {
    if (!IsPossible(parent, value) || !seen.insert(value).second) {
      return WrongField(field,
                        absl::StrCat("must need distinct, possible values of "
                                     "its parent \"",
                                     parent.name, "\""));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckParameter(const std::vector<ParameterSpec>& space,
                            std::size_t position) {
  const ParameterSpec& spec = space[position];
  const std::string place = absl::StrCat("parameters[", position, "]");
  VERNIER_RETURN_IF_ERROR(CheckName(place, spec.name));
  const std::string field = absl::StrCat("parameter \"", spec.name, "\"");
  switch (spec.type) {
    case ParameterType::kDouble:
    case ParameterType::kInteger:
      VERNIER_RETURN_IF_ERROR(CheckRange(field, spec));
      break;
    case ParameterType::kDiscrete:
      VERNIER_RETURN_IF_ERROR(CheckDiscrete(field, spec));
      break;
    case ParameterType::kCategorical:
      VERNIER_RETURN_IF_ERROR(CheckCategorical(field, spec));
      break;
  }
  if (spec.default_value.has_value() &&
      !IsPossible(spec, *spec.default_value)) {
    return WrongField(field,
                      "must have a default of its type and within bounds");
  }
  return CheckCondition(field, space, position);
}

// Conditional parameters may share a name if no configuration has both.
absl::Status CheckNamesAreDistinct(const std::vector<ParameterSpec>& space) {
  for (std::size_t i = 0; i < space.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (space[k].name != space[i].name || AreExclusive(space, k, i)) continue;
      return WrongField(absl::StrCat("parameter \"", space[i].name, "\""),
                        "is there twice in one configuration");
    }
  }
  return absl::OkStatus();
}

// The constraints may have been read for another space.
absl::Status CheckParameterConstraints(const StudySpec& spec) {
  if (spec.parameter_constraints.empty()) return absl::OkStatus();
  return ParseParameterConstraints(TextsOf(spec.parameter_constraints),
                                   spec.parameters)
      .status();
}

absl::Status CheckStopping(const EarlyStoppingOptions& options) {
  const auto check_steps = [](const std::string& field,
                              const std::optional<std::int64_t>& steps) {
    if (!steps.has_value() || (*steps >= 1 && *steps <= kMostTrainingSteps)) {
      return absl::OkStatus();
    }
    return WrongField(
        field, absl::StrCat("must be 1 to ", kMostTrainingSteps, ": ", *steps));
  };
  VERNIER_RETURN_IF_ERROR(check_steps("minSteps", options.min_steps));
  VERNIER_RETURN_IF_ERROR(check_steps("maxSteps", options.max_steps));
  if (options.min_steps.value_or(1) >
      options.max_steps.value_or(options.min_steps.value_or(1))) {
    return WrongField("maxSteps",
                      absl::StrCat("must be >= minSteps: ", *options.max_steps,
                                   " < ", *options.min_steps));
  }
  if (!(options.reduction_factor > 1 && options.reduction_factor <= 100)) {
    return WrongField(
        "reductionFactor",
        absl::StrCat("must be > 1 and <= 100: ", options.reduction_factor));
  }
  if (options.brackets.has_value() &&
      (*options.brackets < 1 || *options.brackets > 10)) {
    return WrongField("brackets",
                      absl::StrCat("must be 1 to 10: ", *options.brackets));
  }
  if (!(options.min_win_probability > 0 && options.min_win_probability < 1)) {
    return WrongField(
        "minWinProbability",
        absl::StrCat("must be > 0 and < 1: ", options.min_win_probability));
  }
  return absl::OkStatus();
}

absl::Status CheckLimits(const StudyLimits& limits) {
  if (limits.target.has_value() && !std::isfinite(*limits.target)) {
    return WrongField("target",
                      absl::StrCat("must be finite: ", *limits.target));
  }
  if (limits.no_progress.has_value() &&
      (limits.no_progress->trials < 1 || !(limits.no_progress->gain > 0) ||
       !std::isfinite(limits.no_progress->gain))) {
    return WrongField(
        "noProgress",
        absl::StrCat("must have trials >= 1 and a finite gain > 0: ",
                     limits.no_progress->trials, ", ",
                     limits.no_progress->gain));
  }
  const auto check_time = [](const std::string& field,
                             const std::optional<std::chrono::seconds>& time) {
    if (!time.has_value() || time->count() >= 1) return absl::OkStatus();
    return WrongField(field,
                      absl::StrCat("must be >= 1s: ", time->count(), "s"));
  };
  VERNIER_RETURN_IF_ERROR(check_time("maxTime", limits.max_time));
  VERNIER_RETURN_IF_ERROR(check_time("maxGpuTime", limits.max_gpu_time));
  if (limits.max_steps.value_or(1) < 1) {
    return WrongField("maxSteps",
                      absl::StrCat("must be >= 1: ", *limits.max_steps));
  }
  return absl::OkStatus();
}

absl::Status CheckConstraint(const OutcomeConstraint& constraint) {
  VERNIER_RETURN_IF_ERROR(CheckName("constraint", constraint.metric));
  const std::string field =
      absl::StrCat("constraint \"", constraint.metric, "\"");
  if (!constraint.min.has_value() && !constraint.max.has_value()) {
    return WrongField(field, "must have a min or a max");
  }
  for (const std::optional<double>& bound : {constraint.min, constraint.max}) {
    if (bound.has_value() && !std::isfinite(*bound)) {
      return WrongField(field, absl::StrCat("must be finite: ", *bound));
    }
  }
  if (constraint.min.has_value() && constraint.max.has_value() &&
      *constraint.min > *constraint.max) {
    return WrongField(field,
                      absl::StrCat("has a min of ", *constraint.min,
                                   " above its max of ", *constraint.max));
  }
  return absl::OkStatus();
}

absl::Status CheckConstraints(
    const std::vector<OutcomeConstraint>& constraints) {
  if (constraints.size() > kMostConstraints) {
    return WrongField("constraints",
                      absl::StrCat("must be at most ", kMostConstraints, ": ",
                                   constraints.size()));
  }
  std::set<std::string> names;
  for (const OutcomeConstraint& constraint : constraints) {
    VERNIER_RETURN_IF_ERROR(CheckConstraint(constraint));
    if (!names.insert(constraint.metric).second) {
      return WrongField(absl::StrCat("constraint \"", constraint.metric, "\""),
                        "is there twice");
    }
  }
  return absl::OkStatus();
}

}  // namespace

double SlackOf(const OutcomeConstraint& constraint, double value) {
  double slack = std::numeric_limits<double>::max();
  if (constraint.max.has_value()) slack = *constraint.max - value;
  if (constraint.min.has_value()) {
    slack = std::min(slack, value - *constraint.min);
  }
  // The difference of huge numbers may overflow.
  return std::clamp(slack, -std::numeric_limits<double>::max(),
                    std::numeric_limits<double>::max());
}

std::vector<OutcomeConstraint> BoundsOf(const OutcomeConstraint& constraint) {
  if (!constraint.min.has_value() || !constraint.max.has_value()) {
    return {constraint};
  }
  OutcomeConstraint low = constraint;
  OutcomeConstraint high = constraint;
  low.max.reset();
  high.min.reset();
  return {low, high};
}

std::string WhyNotRepeated(const StudySpec& spec) {
  if (!IsRepeating(spec.repeats)) return "";
  if (spec.metrics.size() > 1) {
    return "needs a single objective, because points are compared by its mean";
  }
  if (spec.repeats.policy != RepeatPolicy::kAuto) return "";
  if (spec.algorithm != Algorithm::kDefault) {
    return "must be a number unless the algorithm is DEFAULT, because AUTO "
           "asks its model";
  }
  if (!spec.constraints.empty()) {
    return "must be a number if metrics have constraints";
  }
  return "";
}

std::string WhyNoPriorStudies(const StudySpec& spec) {
  const std::vector<std::string>& names = spec.prior_studies.studies;
  if (names.empty()) return "";
  if (names.size() > kMostPriorStudies) {
    return absl::StrCat("must be at most ", kMostPriorStudies, " names");
  }
  std::set<std::string> known;
  for (const std::string& name : names) {
    if (name.empty() || name.size() > kLongestPriorName) {
      return absl::StrCat("must have names of 1 to ", kLongestPriorName,
                          " bytes");
    }
    if (!known.insert(name).second) {
      return absl::StrCat("names \"", ShowText(name), "\" twice");
    }
  }
  if (spec.metrics.size() > 1 || !spec.constraints.empty()) {
    return "needs a single objective without constraints on metrics";
  }
  if (spec.algorithm != Algorithm::kDefault) {
    return "needs the default algorithm, because the others learn nothing";
  }
  return "";
}

std::string WhyNoPriorRename(const StudySpec& spec) {
  const auto& rename = spec.prior_studies.rename;
  if (!rename.empty() && spec.prior_studies.studies.empty()) {
    return "is about the studies that priorStudies names, and there are none";
  }
  std::set<std::string> taken;
  for (const auto& entry : rename) {
    const std::string& ours = entry.second;
    if (!taken.insert(ours).second) {
      return absl::StrCat("gives the name \"", ShowText(ours), "\" twice");
    }
    const bool is_there =
        spec.parameters.empty() || FindByName(spec.parameters, ours) != nullptr;
    if (!is_there) {
      return absl::StrCat("gives \"", ShowText(entry.first), "\" the name \"",
                          ShowText(ours),
                          "\", which no parameter of this study has");
    }
  }
  return "";
}

std::string WhyNoBeliefs(const StudySpec& spec) {
  if (spec.beliefs.empty() || spec.algorithm == Algorithm::kDefault) return "";
  return "needs the default algorithm, because the others follow none";
}

absl::Status ValidateMetrics(const StudySpec& spec) {
  if (spec.metrics.empty() || spec.metrics.size() > kMostMetrics) {
    return WrongField("metrics", absl::StrCat("must be 1 to ", kMostMetrics,
                                              ": ", spec.metrics.size()));
  }
  std::set<std::string> names;
  for (const MetricGoal& metric : spec.metrics) {
    VERNIER_RETURN_IF_ERROR(CheckName("metric", metric.name));
    if (!names.insert(metric.name).second) {
      return WrongField(absl::StrCat("metric \"", metric.name, "\""),
                        "is there twice");
    }
    if (metric.reference.has_value() && !std::isfinite(*metric.reference)) {
      return WrongField(absl::StrCat("metric \"", metric.name, "\""),
                        absl::StrCat("has a reference that is not finite: ",
                                     *metric.reference));
    }
  }
  VERNIER_RETURN_IF_ERROR(CheckConstraints(spec.constraints));
  const std::string no_names =
      WhyNoFormerNames(spec.renamed_from, NeededMetrics(spec));
  if (!no_names.empty()) return WrongField("renamedFrom", no_names);
  const std::string why = WhyNotRepeated(spec);
  if (!why.empty()) return WrongField("repeats", why);
  const std::string no_priors = WhyNoPriorStudies(spec);
  if (!no_priors.empty()) return WrongField("priorStudies", no_priors);
  const std::string no_rename = WhyNoPriorRename(spec);
  if (!no_rename.empty()) return WrongField("priorRename", no_rename);
  const std::string no_beliefs = WhyNoBeliefs(spec);
  if (!no_beliefs.empty()) return WrongField("beliefs", no_beliefs);
  return absl::OkStatus();
}

absl::Status ValidateStudySpec(const StudySpec& spec) {
  VERNIER_RETURN_IF_ERROR(ValidateMetrics(spec));
  if (spec.parameters.empty() || spec.parameters.size() > kMostParameters) {
    return WrongField("parameters",
                      absl::StrCat("must be 1 to ", kMostParameters, ": ",
                                   spec.parameters.size()));
  }
  for (std::size_t i = 0; i < spec.parameters.size(); ++i) {
    VERNIER_RETURN_IF_ERROR(CheckParameter(spec.parameters, i));
  }
  VERNIER_RETURN_IF_ERROR(CheckNamesAreDistinct(spec.parameters));
  VERNIER_RETURN_IF_ERROR(CheckParameterConstraints(spec));
  VERNIER_RETURN_IF_ERROR(CheckStopping(spec.stopping_options));
  VERNIER_RETURN_IF_ERROR(CheckLimits(spec.limits));
  if (IsGrid(spec.algorithm)) {
    for (const ParameterSpec& parameter : spec.parameters) {
      if (parameter.type != ParameterType::kDouble) continue;
      return WrongField(
          absl::StrCat("parameter \"", parameter.name, "\""),
          "is DOUBLE, and a grid has no such: use another algorithm "
          "or list its values");
    }
  }
  return absl::OkStatus();
}

bool AsksForOurStoppingRule(const JobSpec& job) {
  const auto& tuning = job.training_input.hyperparameters;
  return tuning.has_value() && tuning->enable_trial_early_stopping &&
         !job.vernier.early_stopping.has_value();
}

StudySpec StudySpecOf(const JobSpec& job) {
  const HyperparameterSpec tuning =
      job.training_input.hyperparameters.value_or(HyperparameterSpec{});
  StudySpec spec;
  spec.metrics = job.vernier.objectives;
  if (spec.metrics.empty()) spec.metrics = {{tuning.metric_tag, tuning.goal}};
  spec.constraints = job.vernier.metric_constraints;
  spec.renamed_from = job.vernier.renamed_from;
  spec.parameters = tuning.params;
  spec.parameter_constraints = job.vernier.parameter_constraints;
  spec.algorithm = EffectiveAlgorithm(job);
  spec.stopping_rule =
      AsksForOurStoppingRule(job)
          ? StoppingRule::kAuto
          : job.vernier.early_stopping.value_or(StoppingRule::kNone);
  spec.stopping_options = job.vernier.early_stopping_options;
  spec.can_resume = job.vernier.can_resume;
  spec.limits = job.vernier.limits;
  spec.is_per_cost = job.vernier.is_per_cost;
  spec.repeats = job.vernier.repeats;
  spec.prior_studies = job.vernier.prior_studies;
  spec.beliefs = job.vernier.beliefs;
  return spec;
}

StudySpec StudySpecOfStored(const JobSpec& job) {
  StudySpec spec = StudySpecOf(job);
  if (AsksForOurStoppingRule(job)) spec.stopping_rule = StoppingRule::kMedian;
  return spec;
}

}  // namespace vernier
