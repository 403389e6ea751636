// The rules of studies whose trials declare the search space while they run.

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "store/events/study_event_payload.h"
#include "store/model/change_rules.h"

namespace vernier {
namespace {

absl::Status CheckGrows(ClientStudyRef study) {
  if (GrowsByTrials(study)) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat(study->name, " has had its search space since it was made"));
}

// A study of ours has no more parameters; those beyond are left out.
constexpr std::size_t kMostGrownParameters = 1000;

// Widens the parameter of this name, or adds one.
absl::Status AddParameter(const ParameterSpec& added, StudySpec* spec) {
  for (ParameterSpec& known : spec->parameters) {
    if (known.name != added.name) continue;
    if (known.type != added.type || known.scale != added.scale ||
        known.categorical_values != added.categorical_values) {
      return absl::InvalidArgumentError(absl::StrCat(
          "parameter \"", added.name,
          "\" has another type, scale or list of choices in this study"));
    }
    known.min_value = std::min(known.min_value, added.min_value);
    known.max_value = std::max(known.max_value, added.max_value);
    return absl::OkStatus();
  }
  if (spec->parameters.size() < kMostGrownParameters) {
    spec->parameters.push_back(added);
  }
  return absl::OkStatus();
}

void AddConstraint(const OutcomeConstraint& added, StudySpec* spec) {
  const bool is_known =
      std::any_of(spec->constraints.begin(), spec->constraints.end(),
                  [&](const OutcomeConstraint& known) {
                    return known.metric == added.metric;
                  });
  if (!is_known && spec->constraints.size() < kMostConstraints) {
    spec->constraints.push_back(added);
  }
}

}  // namespace

absl::Status Apply(const GrowStudySpec& change, ClientStudyRef before,
                   ChangeContext& context) {
  VERNIER_RETURN_IF_ERROR(CheckGrows(before));
  StudySpec spec = *before->spec;
  if (change.parameter.has_value()) {
    VERNIER_RETURN_IF_ERROR(AddParameter(*change.parameter, &spec));
  }
  if (change.constraint.has_value()) AddConstraint(*change.constraint, &spec);
  if (spec == *before->spec) return absl::OkStatus();
  VERNIER_RETURN_IF_ERROR(spec.parameters.empty() ? ValidateMetrics(spec)
                                                  : ValidateStudySpec(spec));
  StudySnapshot& study = context.state.Edit(change.study);
  ++study.version;
  study.spec = std::make_shared<const StudySpec>(std::move(spec));
  context.effects.rows.push_back(
      {RowChange::Kind::kSpecChanged, KeyOf(change.study)});
  RecordEvent(KeyOf(change.study), "study.grown", SpecGrownPayload(study),
              context);
  return absl::OkStatus();
}

absl::Status Apply(const SetTrialParameter& change, ClientStudyRef before,
                   ChangeContext& context) {
  VERNIER_ASSIGN_OR_RETURN(const std::shared_ptr<const TrialRecord> old,
                           FindTrial(context, change.study, change.trial));
  VERNIER_RETURN_IF_ERROR(CheckGrows(before));
  if (IsTerminal(old->state)) {
    return absl::FailedPreconditionError(absl::StrCat(
        NameOf(change.study, change.trial), " is ",
        std::string(ToString(old->state)), " and takes no parameter"));
  }
  auto trial = std::make_shared<TrialRecord>(*old);
  Parameters& parameters = trial->parameters;
  const auto known = std::find_if(
      parameters.begin(), parameters.end(),
      [&](const NamedValue& one) { return one.name == change.parameter.name; });
  if (known == parameters.end()) {
    parameters.push_back(change.parameter);
  } else {
    known->value = change.parameter.value;
  }
  VERNIER_RETURN_IF_ERROR(CheckStorable({change.parameter}));
  context.state.PutTrial(change.study, std::move(trial));
  const AttemptKey key{change.study, change.trial, 0};
  context.effects.rows.push_back({RowChange::Kind::kParametersChanged, key});
  RecordEvent(key, "trial.parameter", TrialParameterPayload(change.parameter),
              context);
  return absl::OkStatus();
}

}  // namespace vernier
