#include "faces/ml/ml_study_message.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "faces/messages/proto_time.h"
#include "faces/messages/vizier_message.h"
#include "study/algorithm_name.h"
#include "study/belief.h"
#include "study/constraint_parser.h"
#include "study/parameter_value.h"
#include "study/stopping/stopping_rule_name.h"
#include "trials/client_data.h"

namespace vernier {
namespace {

using MlSpec = ml::ParameterSpec;
using VizierSpec = vizier::StudySpec::ParameterSpec;

// The scales have the same numbers in all APIs, and the kinds the same order.
static_assert(static_cast<int>(MlSpec::UNIT_REVERSE_LOG_SCALE) ==
              static_cast<int>(VizierSpec::UNIT_REVERSE_LOG_SCALE));
static_assert(static_cast<int>(MlSpec::DISCRETE) - MlSpec::DOUBLE ==
              static_cast<int>(VizierSpec::kDiscreteValueSpec) -
                  VizierSpec::kDoubleValueSpec);

// A study's states have the same numbers as ours.
static_assert(static_cast<int>(StudyState::kActive) == ml::Study::ACTIVE);
static_assert(static_cast<int>(StudyState::kInactive) == ml::Study::INACTIVE);
static_assert(static_cast<int>(StudyState::kCompleted) == ml::Study::COMPLETED);

absl::Status Wrong(const MlSpec& spec, const std::string& why) {
  return absl::InvalidArgumentError(
      absl::StrCat("parameter \"", spec.parameter(), "\" ", why));
}

template <typename From, typename To>
void CopyValues(const From& from, To* to) {
  for (const auto& value : from.values()) to->add_values(value);
}

template <typename From, typename To>
void CopyRange(const From& from, To* to) {
  to->set_min_value(from.min_value());
  to->set_max_value(from.max_value());
}

// Copies what a parameter may be, from one API's message to the other's.
template <typename From, typename To>
void CopyKind(const From& from, MlSpec::ParameterType type, To* to) {
  switch (type) {
    case MlSpec::DOUBLE:
      return CopyRange(from.double_value_spec(),
                       to->mutable_double_value_spec());
    case MlSpec::INTEGER:
      return CopyRange(from.integer_value_spec(),
                       to->mutable_integer_value_spec());
    case MlSpec::CATEGORICAL:
      return CopyValues(from.categorical_value_spec(),
                        to->mutable_categorical_value_spec());
    case MlSpec::DISCRETE:
      return CopyValues(from.discrete_value_spec(),
                        to->mutable_discrete_value_spec());
    default:
      return;
  }
}

// Copies the values of the parent with which a child has a meaning.
template <typename From, typename To>
void CopyCondition(const From& from, To* to) {
  if (from.has_parent_discrete_values()) {
    CopyValues(from.parent_discrete_values(),
               to->mutable_parent_discrete_values());
  } else if (from.has_parent_int_values()) {
    CopyValues(from.parent_int_values(), to->mutable_parent_int_values());
  } else {
    CopyValues(from.parent_categorical_values(),
               to->mutable_parent_categorical_values());
  }
}

absl::Status CheckKind(const MlSpec& spec) {
  if (spec.type() == MlSpec::DOUBLE && !spec.has_double_value_spec()) {
    return Wrong(spec, "is a DOUBLE and needs doubleValueSpec");
  }
  if (spec.type() == MlSpec::INTEGER && !spec.has_integer_value_spec()) {
    return Wrong(spec, "is an INTEGER and needs integerValueSpec");
  }
  if (spec.type() == MlSpec::PARAMETER_TYPE_UNSPECIFIED ||
      !MlSpec::ParameterType_IsValid(spec.type())) {
    return Wrong(spec, "needs a type");
  }
  return absl::OkStatus();
}

using Additions = ml::StudyConfig::Vernier;

constexpr int kMaxDepth = 16;

absl::Status CopySpec(const MlSpec& from, int depth, VizierSpec* to) {
  if (depth > kMaxDepth) {
    return Wrong(from, absl::StrCat("is nested deeper than ", kMaxDepth));
  }
  to->set_parameter_id(from.parameter());
  to->set_scale_type(static_cast<VizierSpec::ScaleType>(from.scale_type()));
  VERNIER_RETURN_IF_ERROR(CheckKind(from));
  CopyKind(from, from.type(), to);
  for (const MlSpec& child : from.child_parameter_specs()) {
    auto* condition = to->add_conditional_parameter_specs();
    CopyCondition(child, condition);
    VERNIER_RETURN_IF_ERROR(
        CopySpec(child, depth + 1, condition->mutable_parameter_spec()));
  }
  return absl::OkStatus();
}

void PrintSpec(const VizierSpec& from, MlSpec* to) {
  to->set_parameter(from.parameter_id());
  to->set_scale_type(static_cast<MlSpec::ScaleType>(from.scale_type()));
  to->set_type(static_cast<MlSpec::ParameterType>(
      from.parameter_value_spec_case() - VizierSpec::kDoubleValueSpec +
      MlSpec::DOUBLE));
  CopyKind(from, to->type(), to);
  for (const auto& condition : from.conditional_parameter_specs()) {
    MlSpec* child = to->add_child_parameter_specs();
    PrintSpec(condition.parameter_spec(), child);
    CopyCondition(condition, child);
  }
}

void PrintStopping(const StudySpec& study, ml::StudyConfig* config) {
  switch (study.stopping_rule) {
    case StoppingRule::kNone:
      return;
    case StoppingRule::kMedian:
      config->mutable_automated_stopping_config()
          ->mutable_median_automated_stopping_config();
      return;
    case StoppingRule::kDecayCurve:
      config->mutable_automated_stopping_config()
          ->mutable_decay_curve_stopping_config();
      return;
    case StoppingRule::kAuto:
    case StoppingRule::kAsha:
    case StoppingRule::kHyperband:
      config->mutable_vernier()->mutable_early_stopping()->set_rule(
          std::string(ToString(study.stopping_rule)));
      return;
  }
}

void PrintDefaults(const StudySpec& study, ml::StudyConfig* config) {
  for (const ParameterSpec& parameter : study.parameters) {
    if (!parameter.default_value.has_value()) continue;
    auto& value =
        (*config->mutable_vernier()->mutable_defaults())[parameter.name];
    if (const auto number = NumberOf(*parameter.default_value)) {
      value.set_number_value(*number);
    } else {
      value.set_string_value(std::get<std::string>(*parameter.default_value));
    }
  }
}

ml::StudyConfig ConfigOf(const StudySpec& study) {
  const vizier::StudySpec spec = ToVizier(study);
  ml::StudyConfig config;
  for (const auto& metric : spec.metrics()) {
    if (metric.has_safety_config()) continue;  // A constraint, below.
    auto* to = config.add_metrics();
    to->set_metric(metric.metric_id());
    to->set_goal(
        static_cast<ml::StudyConfig::MetricSpec::GoalType>(metric.goal()));
  }
  for (const OutcomeConstraint& constraint : study.constraints) {
    auto* to = config.mutable_vernier()->add_metric_constraints();
    to->set_metric(constraint.metric);
    if (constraint.min.has_value()) to->set_min(*constraint.min);
    if (constraint.max.has_value()) to->set_max(*constraint.max);
  }
  for (const VizierSpec& parameter : spec.parameters()) {
    PrintSpec(parameter, config.add_parameters());
  }
  if (IsGrid(study.algorithm)) {
    config.set_algorithm(ml::StudyConfig::GRID_SEARCH);
  } else if (study.algorithm == Algorithm::kRandomSearch) {
    config.set_algorithm(ml::StudyConfig::RANDOM_SEARCH);
  }
  PrintStopping(study, &config);
  if (IsRepeating(study.repeats)) {
    config.mutable_vernier()->mutable_repeats()->set_string_value(
        ToString(study.repeats));
  }
  for (const std::string& name : study.prior_studies.studies) {
    config.mutable_vernier()->add_prior_studies(name);
  }
  for (const auto& [theirs, ours] : study.prior_studies.rename) {
    (*config.mutable_vernier()->mutable_prior_rename())[theirs] = ours;
  }
  for (const Belief& belief : study.beliefs) {
    auto& to = (*config.mutable_vernier()->mutable_beliefs())[belief.parameter];
    if (const auto* const number = std::get_if<double>(&belief.near)) {
      to.mutable_near()->set_number_value(*number);
    } else {
      to.mutable_near()->set_string_value(std::get<std::string>(belief.near));
    }
    if (!belief.within.has_value()) continue;
    to.mutable_within()->set_string_value(ToString(*belief.within));
  }
  PrintDefaults(study, &config);
  for (const ParameterConstraint& each : study.parameter_constraints) {
    config.mutable_vernier()->add_parameter_constraints(each.text);
  }
  return config;
}

// Prints what edits may have changed, in place of what the client sent.
void PrintEdited(ClientStudyRef study, ml::StudyConfig* config) {
  const ml::StudyConfig present = ConfigOf(*study->spec);
  *config->mutable_parameters() = present.parameters();
  *config->mutable_vernier()->mutable_defaults() = present.vernier().defaults();
  *config->mutable_vernier()->mutable_parameter_constraints() =
      present.vernier().parameter_constraints();
  if (!study->spec->renamed_from.empty()) {
    *config->mutable_metrics() = present.metrics();
    *config->mutable_vernier()->mutable_metric_constraints() =
        present.vernier().metric_constraints();
    auto& references = *config->mutable_vernier()->mutable_references();
    references.clear();
    for (const MetricGoal& metric : study->spec->metrics) {
      if (metric.reference) references[metric.name] = *metric.reference;
    }
  }
  const std::string& data = study.run().edits.back()->client_data;
  if (!data.empty()) config->mutable_vernier()->set_client_data(data);
}

ml::Measurement ToMl(const MetricReport& report) {
  const vizier::Measurement from = ToVizier(report);
  ml::Measurement to;
  if (from.has_elapsed_duration()) {
    *to.mutable_elapsed_time() = from.elapsed_duration();
  }
  to.set_step_count(from.step_count());
  for (const auto& metric : from.metrics()) {
    auto* one = to.add_metrics();
    one->set_metric(metric.metric_id());
    one->set_value(metric.value());
  }
  return to;
}

ml::Trial::State StateOf(TrialState state) {
  switch (state) {
    case TrialState::kRequested:
      return ml::Trial::REQUESTED;
    case TrialState::kActive:
      return ml::Trial::ACTIVE;
    case TrialState::kStopping:
      return ml::Trial::STOPPING;
    case TrialState::kCompleted:
    case TrialState::kStopped:
    case TrialState::kInfeasible:
    case TrialState::kFailed:
      return ml::Trial::COMPLETED;
  }
  return ml::Trial::STATE_UNSPECIFIED;
}

absl::Status ReadStopping(const Additions::EarlyStopping& from,
                          StudySpec* study) {
  const auto* const found =
      std::find_if(std::begin(kStoppingRuleNames), std::end(kStoppingRuleNames),
                   [&](const auto& each) { return each.name == from.rule(); });
  if (found == std::end(kStoppingRuleNames) && !from.rule().empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "studyConfig.vernier.earlyStopping.rule must be one of AUTO, MEDIAN, "
        "DECAY_CURVE, ASHA, HYPERBAND, NONE: \"",
        ShowText(from.rule()), "\""));
  }
  study->stopping_rule = found == std::end(kStoppingRuleNames)
                             ? StoppingRule::kAuto
                             : found->value;
  EarlyStoppingOptions& options = study->stopping_options;
  if (from.has_min_steps()) options.min_steps = from.min_steps();
  if (from.has_max_steps()) options.max_steps = from.max_steps();
  if (from.has_reduction_factor()) {
    options.reduction_factor = from.reduction_factor();
  }
  if (from.has_brackets()) options.brackets = from.brackets();
  if (from.has_min_win_probability()) {
    options.min_win_probability = from.min_win_probability();
  }
  return absl::OkStatus();
}

absl::Status ReadRepeats(const google::protobuf::Value& from,
                         StudySpec* study) {
  const std::string text = from.has_number_value()
                               ? absl::StrCat(from.number_value())
                               : std::string(from.string_value());
  const std::optional<Repeats> repeats = RepeatsFromText(text);
  if (!repeats.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "studyConfig.vernier.repeats must be ", std::string(kRepeatsWanted),
        ": \"", ShowText(text), "\""));
  }
  study->repeats = *repeats;
  return absl::OkStatus();
}

std::string TextOfValue(const google::protobuf::Value& value) {
  if (value.has_number_value()) return NumberText(value.number_value());
  if (value.has_bool_value()) return value.bool_value() ? "true" : "false";
  return std::string(value.string_value());
}

// Reads what is believed about the study's parameters, which are known.
absl::Status ReadBeliefs(const Additions& from, StudySpec* study) {
  // The order of a message's map is not defined.
  const std::map<std::string, Additions::Belief> beliefs(from.beliefs().begin(),
                                                         from.beliefs().end());
  for (const auto& [name, given] : beliefs) {
    auto read =
        ReadBelief(study->parameters, name,
                   {TextOfValue(given.near()), TextOfValue(given.within())});
    if (const auto* const wrong = std::get_if<BeliefMistake>(&read)) {
      return absl::InvalidArgumentError(
          absl::StrCat("studyConfig.vernier.beliefs.", ShowText(name),
                       wrong->field.empty() ? "" : ".",
                       std::string(wrong->field), ": ", wrong->message));
    }
    study->beliefs.push_back(std::get<Belief>(std::move(read)));
  }
  return absl::OkStatus();
}

// Reads the defaults of the study's parameters, which are known.
absl::Status ReadDefaults(const Additions& from, StudySpec* study) {
  // The order of a message's map is not defined.
  const std::map<std::string, google::protobuf::Value> defaults(
      from.defaults().begin(), from.defaults().end());
  for (const auto& [name, given] : defaults) {
    const auto parameter =
        std::find_if(study->parameters.begin(), study->parameters.end(),
                     [&name = name](const ParameterSpec& each) {
                       return each.name == name;
                     });
    const std::string field = absl::StrCat(
        "studyConfig.vernier.defaults has \"", ShowText(name), "\"");
    if (parameter == study->parameters.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat(field, ", which is no parameter of the study"));
    }
    parameter->default_value =
        given.has_number_value()
            ? ValueOf(*parameter, given.number_value())
            : ValueOf(*parameter, std::string(given.string_value()));
    if (!parameter->default_value.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat(field, ", which must be ", DescribeValues(*parameter),
                       ": ", ShowText(TextOfValue(given))));
    }
  }
  return absl::OkStatus();
}

absl::Status ReadAdditions(const Additions& from, StudySpec* study) {
  // The data is stored with the whole configuration, and not interpreted here.
  if (from.client_data().size() > kMostClientData) {
    return absl::InvalidArgumentError(absl::StrCat(
        "studyConfig.vernier.clientData must have at most ", kMostClientData,
        " bytes: it has ", from.client_data().size()));
  }
  if (!from.algorithm().empty()) {
    const auto algorithm = AlgorithmNamed(from.algorithm());
    if (!algorithm.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("studyConfig.vernier.algorithm is none that there is: "
                       "\"",
                       ShowText(from.algorithm()), "\""));
    }
    study->algorithm = *algorithm;
  }
  if (from.has_early_stopping()) {
    VERNIER_RETURN_IF_ERROR(ReadStopping(from.early_stopping(), study));
  }
  study->is_per_cost = from.per_cost();
  if (from.has_repeats()) {
    VERNIER_RETURN_IF_ERROR(ReadRepeats(from.repeats(), study));
  }
  study->prior_studies.studies.assign(from.prior_studies().begin(),
                                      from.prior_studies().end());
  for (const auto& entry : from.prior_rename()) {
    study->prior_studies.rename[entry.first] = entry.second;
  }
  VERNIER_RETURN_IF_ERROR(ReadBeliefs(from, study));
  VERNIER_RETURN_IF_ERROR(ReadDefaults(from, study));
  for (const auto& each : from.metric_constraints()) {
    OutcomeConstraint constraint{each.metric()};
    if (each.has_min()) constraint.min = each.min();
    if (each.has_max()) constraint.max = each.max();
    study->constraints.push_back(std::move(constraint));
  }
  for (const auto& entry : from.references()) {
    const std::string& name = entry.first;
    const auto metric = std::find_if(
        study->metrics.begin(), study->metrics.end(),
        [&name](const MetricGoal& each) { return each.name == name; });
    if (metric == study->metrics.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat("studyConfig.vernier.references has \"", ShowText(name),
                       "\", which is no metric of the study"));
    }
    metric->reference = entry.second;
  }
  VERNIER_ASSIGN_OR_RETURN(
      study->parameter_constraints,
      ParseParameterConstraints({from.parameter_constraints().begin(),
                                 from.parameter_constraints().end()},
                                study->parameters));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<StudySpec> FromMl(const ml::StudyConfig& config) {
  vizier::StudySpec spec;
  for (const auto& metric : config.metrics()) {
    auto* to = spec.add_metrics();
    to->set_metric_id(metric.metric());
    to->set_goal(
        static_cast<vizier::StudySpec::MetricSpec::GoalType>(metric.goal()));
  }
  for (const MlSpec& parameter : config.parameters()) {
    VERNIER_RETURN_IF_ERROR(CopySpec(parameter, 1, spec.add_parameters()));
  }
  spec.set_algorithm(ml::StudyConfig::Algorithm_Name(config.algorithm()));
  VERNIER_ASSIGN_OR_RETURN(StudySpec study, FromVizier(spec));
  const auto& stopping = config.automated_stopping_config();
  if (stopping.has_decay_curve_stopping_config()) {
    study.stopping_rule = StoppingRule::kDecayCurve;
  } else if (stopping.has_median_automated_stopping_config()) {
    study.stopping_rule = StoppingRule::kMedian;
  }
  if (config.has_vernier()) {
    VERNIER_RETURN_IF_ERROR(ReadAdditions(config.vernier(), &study));
    VERNIER_RETURN_IF_ERROR(ValidateStudySpec(study));
  }
  return study;
}

absl::StatusOr<MetricReport> FromMl(const ml::Measurement& measurement) {
  vizier::Measurement from;
  *from.mutable_elapsed_duration() = measurement.elapsed_time();
  from.set_step_count(measurement.step_count());
  for (const auto& metric : measurement.metrics()) {
    auto* to = from.add_metrics();
    to->set_metric_id(metric.metric());
    to->set_value(metric.value());
  }
  return FromVizier(from);
}

absl::StatusOr<TrialRequest> FromMl(const ml::Trial& trial) {
  TrialRequest request;
  for (const ml::Trial::Parameter& parameter : trial.parameters()) {
    NamedValue value;
    value.name = parameter.parameter();
    switch (parameter.value_case()) {
      case ml::Trial::Parameter::kFloatValue:
        value.value = parameter.float_value();
        break;
      case ml::Trial::Parameter::kIntValue:
        value.value = parameter.int_value();
        break;
      case ml::Trial::Parameter::kStringValue:
        value.value = parameter.string_value();
        break;
      case ml::Trial::Parameter::VALUE_NOT_SET:
        return absl::InvalidArgumentError(
            absl::StrCat("parameter \"", parameter.parameter(),
                         "\" needs floatValue, intValue or stringValue"));
    }
    request.parameters.push_back(std::move(value));
  }
  if (trial.state() == ml::Trial::COMPLETED) {
    request.state = trial.trial_infeasible() ? TrialState::kInfeasible
                                             : TrialState::kCompleted;
  } else if (trial.state() == ml::Trial::STOPPING &&
             trial.has_final_measurement()) {
    request.state = TrialState::kStopped;  // The API has no word for it.
  }
  if (trial.has_final_measurement()) {
    VERNIER_ASSIGN_OR_RETURN(request.final_report,
                             FromMl(trial.final_measurement()));
  }
  for (const ml::Measurement& measurement : trial.measurements()) {
    VERNIER_ASSIGN_OR_RETURN(request.reports.emplace_back(),
                             FromMl(measurement));
  }
  request.infeasible_reason = trial.infeasible_reason();
  return request;
}

ml::Study::State ToMl(StudyState state) {
  return static_cast<ml::Study::State>(state);
}

ml::Study ToMl(ClientStudyRef study) {
  ml::Study to;
  to.set_name(study->name);
  const OriginalSpec& original = *study.run().original;
  if (original.format != kMlConfigFormat ||
      !to.mutable_study_config()->ParseFromString(original.bytes)) {
    *to.mutable_study_config() = ConfigOf(*study->spec);
  }
  if (!study.run().edits.empty()) {
    PrintEdited(study, to.mutable_study_config());
  }
  const std::string data = ClientDataOf(*study->metadata);
  if (!data.empty() && to.study_config().vernier().client_data().empty()) {
    to.mutable_study_config()->mutable_vernier()->set_client_data(data);
  }
  to.set_state(ToMl(study.run().state));
  *to.mutable_create_time() = ToProto(study->created_at);
  if (study.run().state == StudyState::kInactive) {
    to.set_inactive_reason(study.run().state_reason);
  }
  return to;
}

bool WantsElapsedTime(ClientStudyRef study) {
  const OriginalSpec& original = *study.run().original;
  ml::StudyConfig config;
  if (original.format != kMlConfigFormat ||
      !config.ParseFromString(original.bytes)) {
    return false;
  }
  const auto& stopping = config.automated_stopping_config();
  return stopping.decay_curve_stopping_config().use_elapsed_time() ||
         stopping.median_automated_stopping_config().use_elapsed_time();
}

ml::Trial ToMl(const TrialWithMeasurements& answer) {
  const TrialRecord& trial = answer.record();
  ml::Trial to;
  to.set_name(absl::StrCat(answer.study->name, "/trials/", ToInt(trial.id)));
  to.set_state(StateOf(trial.state));
  for (const NamedValue& one : trial.parameters) {
    ml::Trial::Parameter* parameter = to.add_parameters();
    parameter->set_parameter(one.name);
    if (const auto* number = std::get_if<double>(&one.value)) {
      parameter->set_float_value(*number);
    } else if (const auto* integer = std::get_if<std::int64_t>(&one.value)) {
      parameter->set_int_value(*integer);
    } else {
      parameter->set_string_value(std::get<std::string>(one.value));
    }
  }
  if (trial.final_report.has_value()) {
    *to.mutable_final_measurement() = ToMl(*trial.final_report);
  }
  for (const MetricReport& report : answer.reports) {
    *to.add_measurements() = ToMl(report);
  }
  *to.mutable_start_time() =
      ToProto(trial.started_at.value_or(trial.created_at));
  if (trial.ended_at) *to.mutable_end_time() = ToProto(*trial.ended_at);
  to.set_client_id(trial.client_id);
  to.set_trial_infeasible(trial.state == TrialState::kInfeasible ||
                          trial.state == TrialState::kFailed);
  if (to.trial_infeasible()) to.set_infeasible_reason(trial.message);
  return to;
}

}  // namespace vernier
