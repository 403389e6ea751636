#include "faces/optuna/optuna_changes.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "faces/optuna/optuna_message.h"
#include "study/find_by_name.h"
#include "study/optuna_space/optuna_distribution.h"
#include "trials/client_trial_changes.h"
#include "trials/jobs/explain.h"
#include "trials/user_attributes.h"

namespace vernier {
namespace {

constexpr char kConstraint[] = "constraints";
constexpr std::size_t kMostConstraintName = 200;

// The values of a trial's constraints, which Optuna's clients keep in system
// attributes: each as a number of its own, or, up to Optuna 4, all in a list.
std::vector<MetricValue> ConstraintsOf(const Metadata& metadata) {
  std::vector<MetricValue> constraints;
  const auto add = [&](const std::string& name, const Json& value) {
    if (!value.is_number() || name.size() > kMostConstraintName ||
        constraints.size() >= kMostConstraints) {
      return;
    }
    constraints.push_back({name, value.get<double>()});
  };
  for (auto at = metadata.lower_bound({kSystemSpace, kConstraint});
       at != metadata.end() && at->first.first == kSystemSpace &&
       absl::StartsWith(at->first.second, kConstraint);
       ++at) {
    const auto json = ParseJson(at->second.value);
    if (!json.ok()) continue;
    if (at->first.second != kConstraint) {
      add(at->first.second, *json);
    } else if (json->is_array()) {
      for (std::size_t i = 0; i < json->size(); ++i) {
        add(absl::StrCat(kConstraint, ":", i), (*json)[i]);
      }
    }
  }
  return constraints;
}

bool IsConstrained(const StudySpec& spec, const std::string& metric) {
  return std::any_of(
      spec.constraints.begin(), spec.constraints.end(),
      [&](const OutcomeConstraint& one) { return one.metric == metric; });
}

absl::Status CheckValues(const StudySnapshot& study,
                         const std::vector<double>& values) {
  const std::size_t count = study.spec->metrics.size();
  if (!values.empty() && values.size() != count) {
    return absl::InvalidArgumentError(
        absl::StrCat("the study has ", count, " objectives, but ",
                     values.size(), " values came"));
  }
  if (std::any_of(values.begin(), values.end(),
                  [](double value) { return std::isnan(value); })) {
    return absl::InvalidArgumentError(
        "a value of an objective must not be NaN");
  }
  return absl::OkStatus();
}

// Says how the trial ends, all but the report.
void Decide(const TrialRecord& trial, optuna::TrialState state,
            const std::vector<double>& values, MoveTrial* move) {
  const bool is_finite =
      !values.empty() && std::all_of(values.begin(), values.end(),
                                     [](double v) { return std::isfinite(v); });
  if (is_finite) move->final_measurement = FinalMeasurement{0, values[0]};
  if (trial.objective.last.has_value()) {
    if (is_finite) {
      move->final_measurement->step = trial.objective.last->step;
    } else if (state == optuna::PRUNED) {
      move->final_measurement = trial.objective.last;
    }
  }
  if (state == optuna::FAIL) {
    move->event = TrialEvent::kGiveUp;
    move->cause = TrialEndCause::kUserError;
    move->message = "its objective failed";
    move->final_measurement = std::nullopt;  // Its report keeps the values.
  } else if (state == optuna::PRUNED) {
    move->event = TrialEvent::kConfirmStop;
    move->cause = TrialEndCause::kStoppedEarly;
    move->message = "pruned by its client";
  } else if (!values.empty() && !is_finite) {
    move->event = TrialEvent::kReportInfeasible;
    move->cause = TrialEndCause::kNotFinite;
    move->message = absl::StrCat("its value was ", ExactText(values[0]));
  } else {
    move->event = TrialEvent::kReportFinal;
    move->cause =
        is_finite ? TrialEndCause::kSuccess : TrialEndCause::kNoMetric;
  }
}

void AppendFact(UpdateMetadata* facts, TrialId trial, const char* space,
                const std::string& key, const std::string& value) {
  facts->updates.push_back(SetFact(trial, space, key, value));
}

// Appends the facts of a new trial that need no other change.
absl::Status AppendFacts(const StudySnapshot& study, const optuna::Trial& from,
                         UpdateMetadata* facts) {
  const auto append = [&](const char* space, const auto& attributes) {
    for (const auto& [key, value] : attributes) {
      VERNIER_RETURN_IF_ERROR(CheckOptunaText(key, value));
      UpdateMetadata one =
          AttributeChange(study.id, kNewestTrial, {}, space, key, value);
      std::move(one.updates.begin(), one.updates.end(),
                std::back_inserter(facts->updates));
    }
    return absl::OkStatus();
  };
  VERNIER_RETURN_IF_ERROR(append(kUserSpace, from.user_attributes()));
  VERNIER_RETURN_IF_ERROR(append(kSystemSpace, from.system_attributes()));
  const auto time = [&](const char* key, const std::string& text) {
    AppendFact(facts, kNewestTrial, kTrialSpace, key,
               text.empty() ? kNoTime : text);
  };
  VERNIER_RETURN_IF_ERROR(CheckLocalTime(from.datetime_start()));
  VERNIER_RETURN_IF_ERROR(CheckLocalTime(from.datetime_complete()));
  // What waits gets its time when it begins.
  if (from.state() != optuna::WAITING || !from.datetime_start().empty()) {
    time(kStartKey, from.datetime_start());
  }
  if (from.state() == optuna::WAITING || from.state() == optuna::RUNNING) {
    if (from.values_size() > 0) {
      AppendFact(facts, kNewestTrial, kTrialSpace, kValuesKey,
                 ExactTexts(from.values()));
    }
    return absl::OkStatus();
  }
  time(kCompleteKey, from.datetime_complete());
  return absl::OkStatus();
}

// Appends the values that a new trial reported.
void AppendReports(const StudySnapshot& study, const optuna::Trial& from,
                   Timestamp now, std::vector<Change>* changes) {
  if (from.intermediate_values().empty()) return;
  if (from.state() == optuna::WAITING) {
    UpdateMetadata facts{study.id, {}};
    for (const auto& [step, value] : from.intermediate_values()) {
      AppendFact(&facts, kNewestTrial, kReportSpace, absl::StrCat(step),
                 ExactText(value));
    }
    changes->push_back(std::move(facts));
    return;
  }
  AddMeasurements reports{ReporterOf(study.id, kNewestTrial), {}};
  for (const auto& [step, value] : from.intermediate_values()) {
    reports.measurements.push_back(
        {ObjectiveOf(*study.spec).name, step, now, value});
  }
  std::sort(reports.measurements.begin(), reports.measurements.end(),
            [](const Measurement& a, const Measurement& b) {
              return a.step < b.step;
            });
  changes->push_back(std::move(reports));
}

// The record of a trial that was just begun, as the changes before have made
// it.
TrialRecord BegunTrial(const optuna::Trial& from) {
  TrialRecord trial;
  trial.id = kNewestTrial;
  trial.state = TrialState::kActive;
  for (const auto& [key, value] : from.system_attributes()) {
    trial.metadata[{kSystemSpace, key}] = {true, value};
  }
  std::optional<std::int64_t> last;
  for (const auto& [step, value] : from.intermediate_values()) {
    if (!std::isfinite(value) || step < last.value_or(step)) continue;
    last = step;
    trial.objective.last = FinalMeasurement{step, value};
  }
  return trial;
}

}  // namespace

absl::Status CheckOptunaText(const std::string& key, const std::string& value) {
  if (key.size() > kMostOptunaKeyBytes) {
    return absl::InvalidArgumentError(absl::StrCat("a name has at most ",
                                                   kMostOptunaKeyBytes,
                                                   " bytes, not ", key.size()));
  }
  if (value.size() > kMostOptunaValueBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("a value has at most ", kMostOptunaValueBytes,
                     " bytes, not ", value.size()));
  }
  return absl::OkStatus();
}

MetadataUpdate SetFact(std::optional<TrialId> trial, const char* space,
                       const std::string& key, const std::string& value) {
  return {trial, {space, key}, {true, value}};
}

UpdateMetadata AttributeChange(StudyId study, std::optional<TrialId> trial,
                               const Metadata& present, const char* space,
                               const std::string& key,
                               const std::string& value) {
  UpdateMetadata change{study, {SetFact(trial, space, key, value)}};
  if (std::string_view(space) != kUserSpace) return change;
  auto ours = AttributeUpdates(present, trial, {{key, value}});
  if (!ours.ok()) return change;  // It is kept as Optuna's alone.
  std::move(ours->begin(), ours->end(), std::back_inserter(change.updates));
  return change;
}

absl::StatusOr<std::vector<Change>> ParameterChanges(
    const StudySnapshot& study, TrialId trial, const std::string& name,
    double internal, const std::string& distribution) {
  VERNIER_RETURN_IF_ERROR(CheckOptunaText(name, distribution));
  VERNIER_ASSIGN_OR_RETURN(const OptunaDistribution declared,
                           ReadDistribution(distribution));
  const auto* first = FindText(*study.metadata, kDistributionSpace, name);
  const bool is_same = first != nullptr && *first == distribution;
  if (first != nullptr && !is_same) {
    VERNIER_ASSIGN_OR_RETURN(const OptunaDistribution before,
                             ReadDistribution(*first));
    if (!AreCompatible(before, declared)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "parameter \"", name, "\" has another distribution in study ",
          study.name, ", which is not compatible: ", *first));
    }
  }
  std::vector<Change> changes;
  UpdateMetadata facts{study.id, {}};
  if (first == nullptr) {
    facts.updates.push_back(
        SetFact(std::nullopt, kDistributionSpace, name, distribution));
  }
  std::string fact = ExactText(internal);
  if (first != nullptr && !is_same) absl::StrAppend(&fact, " ", distribution);
  AppendFact(&facts, trial, kParameterSpace, name, fact);
  changes.push_back(std::move(facts));
  const std::optional<ParameterSpec> parameter = ParameterOf(name, declared);
  std::optional<ParameterValue> value = ValueOf(declared, internal);
  if (!parameter.has_value()) return changes;
  const ParameterSpec* const known = FindByName(study.spec->parameters, name);
  if (known == nullptr || known->min_value > parameter->min_value ||
      known->max_value < parameter->max_value) {
    changes.push_back(GrowStudySpec{study.id, parameter});
  }
  // An older study may write the choices otherwise.
  if (known != nullptr && value.has_value() &&
      known->type == ParameterType::kCategorical) {
    value = known->categorical_values[static_cast<std::size_t>(
        std::llround(internal))];
  }
  if (value.has_value()) {
    changes.push_back(SetTrialParameter{study.id, trial, {name, *value}});
  }
  return changes;
}

absl::StatusOr<std::vector<Change>> EndChanges(
    const StudySnapshot& study, const TrialRecord& trial,
    optuna::TrialState state, const std::vector<double>& values) {
  VERNIER_RETURN_IF_ERROR(CheckValues(study, values));
  std::vector<Change> changes;
  if (trial.state == TrialState::kRequested) {
    changes.push_back(AssignTrial{study.id, trial.id, ""});
    changes.push_back(UpdateMetadata{
        study.id, {SetFact(trial.id, kTrialSpace, kStartKey, kNoTime)}});
  }
  MoveTrial move{
      study.id, trial.id,    TrialEvent::kReportFinal, TrialEndCause::kSuccess,
      "",       std::nullopt};
  Decide(trial, state, values, &move);
  if (state == optuna::PRUNED && trial.state != TrialState::kStopping) {
    changes.push_back(MoveTrial{study.id, trial.id, TrialEvent::kRequestStop,
                                TrialEndCause::kNone, move.message,
                                std::nullopt});
  }
  if (!values.empty()) {
    MetricReport report;
    if (move.final_measurement.has_value()) {
      report.step = move.final_measurement->step;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      report.metrics.push_back({study.spec->metrics[i].name, values[i]});
    }
    for (MetricValue& one : ConstraintsOf(trial.metadata)) {
      if (!IsConstrained(*study.spec, one.metric)) {
        changes.push_back(
            GrowStudySpec{study.id, std::nullopt,
                          OutcomeConstraint{one.metric, std::nullopt, 0.0}});
      }
      report.metrics.push_back(std::move(one));
    }
    move.final_report = std::move(report);
  }
  changes.push_back(std::move(move));
  return changes;
}

absl::StatusOr<std::vector<Change>> TemplateChanges(const StudySnapshot& study,
                                                    const optuna::Trial& from,
                                                    Timestamp now,
                                                    TrialId* made) {
  CreateTrials create{study.id,
                      {{{}, {kChosenByClient, study.last_event}, {}}}};
  create.made = made;
  std::vector<Change> changes = {std::move(create)};
  UpdateMetadata facts{study.id, {}};
  VERNIER_RETURN_IF_ERROR(AppendFacts(study, from, &facts));
  if (!facts.updates.empty()) changes.push_back(std::move(facts));
  for (const auto& [name, internal] : from.params()) {
    const auto distribution = from.distributions().find(name);
    if (distribution == from.distributions().end()) {
      return absl::InvalidArgumentError(
          absl::StrCat("parameter \"", name, "\" has no distribution"));
    }
    VERNIER_ASSIGN_OR_RETURN(std::vector<Change> more,
                             ParameterChanges(study, kNewestTrial, name,
                                              internal, distribution->second));
    std::move(more.begin(), more.end(), std::back_inserter(changes));
  }
  if (from.state() != optuna::WAITING) {
    changes.push_back(AssignTrial{study.id, kNewestTrial, ""});
  }
  AppendReports(study, from, now, &changes);
  if (from.state() == optuna::WAITING || from.state() == optuna::RUNNING) {
    return changes;
  }
  VERNIER_ASSIGN_OR_RETURN(
      std::vector<Change> end,
      EndChanges(study, BegunTrial(from), from.state(),
                 {from.values().begin(), from.values().end()}));
  std::move(end.begin(), end.end(), std::back_inserter(changes));
  return changes;
}

}  // namespace vernier
