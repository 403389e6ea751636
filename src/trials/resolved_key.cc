#include "trials/resolved_key.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/nearest_name.h"
#include "base/number_text.h"
#include "store/metric_summary.h"
#include "study/parameter.h"
#include "study/search_space.h"
#include "trials/results/end_values.h"
#include "trials/results/final_values.h"
#include "trials/stopping/set_aside.h"
#include "trials/trial_keys.h"

namespace vernier {
namespace {

constexpr char kParameterPrefix[] = "parameters.";
constexpr std::string_view kFixedKeys[] = {
    "state", "trial", "objective", "step", "cause", kBreaksConstraintKey};

bool IsFixedKey(const std::string& key) {
  return std::find(std::begin(kFixedKeys), std::end(kFixedKeys), key) !=
         std::end(kFixedKeys);
}

bool IsParameter(const StudyRecord& study, const std::string& key) {
  return !SpecsNamed(study, ParameterOfKey(key)).empty();
}

}  // namespace

std::string ParameterOfKey(const std::string& key) {
  return absl::StartsWith(key, kParameterPrefix)
             ? key.substr(sizeof(kParameterPrefix) - 1)
             : key;
}

bool MeansParameter(const StudyRecord& study, const std::string& key) {
  return !IsFixedKey(key) && IsParameter(study, key);
}

absl::Status CheckTrialKey(const StudyRecord& study, const std::string& key) {
  if (IsFixedKey(key) || IsParameter(study, key) ||
      MetricOfKey(study, key).has_value()) {
    return absl::OkStatus();
  }
  std::vector<std::string> known;
  for (const std::string_view fixed : kFixedKeys) {
    const bool is_of_use =
        fixed != kBreaksConstraintKey || !study.spec->constraints.empty();
    if (is_of_use) known.emplace_back(fixed);
  }
  for (std::string& name : NamesOfTrialKeys(study)) {
    known.push_back(std::move(name));
  }
  const std::vector<std::string_view> names(known.begin(), known.end());
  return absl::InvalidArgumentError(
      absl::StrCat("unknown key \"", key, "\"", DidYouMean(key, names),
                   "; known are ", absl::StrJoin(known, ", ")));
}

std::optional<ExactNumber> NumberOf(const ParameterView& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  return std::nullopt;
}

std::string TextOf(const KeyValue& of) {
  if (const auto* text = std::get_if<std::string_view>(&of.value)) {
    return std::string(*text);
  }
  const auto* whole = std::get_if<std::int64_t>(&of.value);
  if (of.is_parameter) {
    const ParameterValue value =
        whole != nullptr ? ParameterValue(*whole)
                         : ParameterValue(std::get<double>(of.value));
    return of.spec != nullptr ? FormatValue(*of.spec, value)
                              : FormatValue(value);
  }
  if (whole != nullptr) return absl::StrCat(*whole);
  const double number = std::get<double>(of.value);
  return std::isfinite(number) ? NumberText(number) : absl::StrCat(number);
}

ResolvedKey::ResolvedKey(const StudySnapshot& study, const std::string& key,
                         Kind kind)
    : study_(study), name_(key), kind_(kind) {
  if (kind_ == Kind::kParameter) FindSpec();
  if (kind_ == Kind::kMetric) metric_ = *MetricOfKey(study, key);
  if (kind_ == Kind::kFinalValue) ranks_.emplace(study);
  if (kind_ == Kind::kFinalValue && IsRepeating(study.spec->repeats)) {
    points_ = PointsOf(study);
  }
}

ResolvedKey::Kind ResolvedKey::KindOf(const StudySnapshot& study,
                                      const std::string& key) {
  if (key == "state") return Kind::kState;
  if (key == "trial") return Kind::kTrial;
  if (key == "cause") return Kind::kCause;
  if (key == "objective") return Kind::kObjective;
  if (key == "step") return Kind::kStep;
  if (key == kBreaksConstraintKey) return Kind::kBreaksConstraint;
  if (IsParameter(study, key)) return Kind::kParameter;
  const auto metric = MetricOfKey(study, key);
  if (!metric.has_value()) return Kind::kParameter;
  return *metric == ObjectiveOf(*study.spec).name ? Kind::kObjective
                                                  : Kind::kMetric;
}

void ResolvedKey::FindSpec() {
  parameter_ = ParameterOfKey(name_);
  has_earlier_spaces_ = SearchSpacesOf(study_).size() > 1;
  for (const ParameterSpec& spec : study_.spec->parameters) {
    if (spec.name != parameter_) continue;
    is_conditional_ |= spec_ != nullptr || spec.condition.has_value();
    spec_ = &spec;
  }
}

std::optional<KeyValue> ResolvedKey::In(const TrialBrief& trial) const {
  switch (kind_) {
    case Kind::kState:
      return KeyValue{ToString(trial.state)};
    case Kind::kTrial:
      return KeyValue{ToInt(trial.id)};
    case Kind::kCause:
      if (trial.end_cause == TrialEndCause::kNone) return std::nullopt;
      return KeyValue{ToString(trial.end_cause)};
    case Kind::kObjective:
    case Kind::kStep:
      return Objective(IsTerminal(trial.state) ? trial.final_measurement
                                               : trial.last);
    case Kind::kFinalValue:
      if (const PointResults* const point = PointOf(trial)) {
        return KeyValue{
            MeritOf(ObjectiveOf(*study_.spec).goal, points_->Bound(*point))};
      }
      return HasEndValue(trial) ? Objective(trial.final_measurement)
                                : std::nullopt;
    case Kind::kBreaksConstraint:
      return KeyValue{std::string_view(Breaks(trial) ? "true" : "false")};
    case Kind::kMetric:
      return Metric(trial);
    case Kind::kParameter:
      return Parameter(trial.id);
  }
  return std::nullopt;
}

int ResolvedKey::RankOf(const TrialBrief& trial) const {
  const int rank = ranks_.has_value() ? ranks_->Of(trial) : 0;
  const PointResults* const point = PointOf(trial);
  return point != nullptr && point->is_ruled_out ? std::min(rank, 1) : rank;
}

bool ResolvedKey::LeavesOut(const TrialBrief& trial) const {
  if (!ranks_.has_value()) return false;
  if (study_.spec->metrics.size() > 1) return !ranks_->IsOptimal(trial.id);
  return !study_.spec->constraints.empty() &&
         trial.state == TrialState::kCompleted && HasEndValue(trial) &&
         !MayBeBest(study_, trial);
}

bool ResolvedKey::IsOfPaused(const TrialBrief& trial) const {
  return kind_ == Kind::kState && trial.state == TrialState::kActive &&
         IsSetAside(study_, *study_.trials.Share(trial.id));
}

const PointResults* ResolvedKey::PointOf(const TrialBrief& trial) const {
  if (!points_.has_value() || !MayBeBest(study_, trial)) return nullptr;
  const auto place = points_->Find(study_.trials.ParametersOf(trial.id));
  return place.has_value() ? &points_->points()[*place] : nullptr;
}

std::optional<KeyValue> ResolvedKey::Objective(
    const std::optional<FinalMeasurement>& measurement) const {
  if (!measurement.has_value()) return std::nullopt;
  if (kind_ == Kind::kStep) return KeyValue{measurement->step};
  return KeyValue{measurement->value};
}

std::optional<KeyValue> ResolvedKey::Metric(const TrialBrief& brief) const {
  const auto trial = study_.trials.Share(brief.id);
  if (IsTerminal(brief.state)) {
    const auto value = FinalValueOf(*study_.spec, *trial, metric_);
    return value.has_value() ? std::optional(KeyValue{*value}) : std::nullopt;
  }
  const MetricSummary* const summary =
      FindSummary(*study_.spec, *trial, metric_);
  if (summary == nullptr || !summary->last.has_value()) return std::nullopt;
  return KeyValue{summary->last->value};
}

bool ResolvedKey::Breaks(const TrialBrief& trial) const {
  return !study_.spec->constraints.empty() && HasEndValue(trial) &&
         !MeetsConstraints(*study_.spec, *study_.trials.Share(trial.id));
}

std::optional<KeyValue> ResolvedKey::Parameter(TrialId id) const {
  const auto value = study_.trials.FindParameter(id, parameter_);
  if (!value.has_value()) return std::nullopt;
  const ParameterSpec* const spec =
      is_conditional_ ? ActiveSpec(study_.trials.ParametersOf(id)) : spec_;
  // Before an edit the parameter may have had another place in the space.
  if (spec == nullptr && !has_earlier_spaces_) return std::nullopt;
  return KeyValue{*value, /*is_parameter=*/true, spec};
}

const ParameterSpec* ResolvedKey::ActiveSpec(
    const Parameters& parameters) const {
  const std::vector<const ParameterSpec*> specs =
      SpecsByValue(study_.spec->parameters, parameters);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (parameters[i].name == parameter_) return specs[i];
  }
  return nullptr;
}

}  // namespace vernier
