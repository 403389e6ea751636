#include "trials/trial_query.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "study/search_space.h"
#include "trials/best_trials.h"
#include "trials/filter_expression.h"

namespace vernier {
namespace {

constexpr char kParameterPrefix[] = "parameters.";
constexpr std::string_view kKeys[] = {"state", "trial", "objective", "step",
                                      "cause"};

bool IsFixedKey(const std::string& key) {
  return std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys);
}

std::string ParameterName(const std::string& key) {
  return absl::StartsWith(key, kParameterPrefix)
             ? key.substr(sizeof(kParameterPrefix) - 1)
             : key;
}

constexpr TrialState kStates[] = {
    TrialState::kRequested, TrialState::kActive,  TrialState::kStopping,
    TrialState::kCompleted, TrialState::kStopped, TrialState::kInfeasible,
    TrialState::kFailed};
constexpr TrialEndCause kCauses[] = {
    TrialEndCause::kSuccess,        TrialEndCause::kNoMetric,
    TrialEndCause::kNotFinite,      TrialEndCause::kInfeasible,
    TrialEndCause::kOutOfMemory,    TrialEndCause::kUserError,
    TrialEndCause::kInfrastructure, TrialEndCause::kTimeLimit,
    TrialEndCause::kCancelled,      TrialEndCause::kStoppedEarly,
    TrialEndCause::kLaunchFailed};

/// A mistyped state would select nothing, and say nothing.
absl::Status CheckWords(const FilterExpression& filter) {
  std::vector<std::string> states;
  for (const TrialState state : kStates) states.emplace_back(ToString(state));
  VERNIER_RETURN_IF_ERROR(filter.CheckOperands("state", states));
  std::vector<std::string> causes;
  for (const TrialEndCause cause : kCauses) {
    causes.emplace_back(ToString(cause));
  }
  return filter.CheckOperands("cause", causes);
}

absl::Status CheckKey(const StudyRecord& study, const std::string& key) {
  if (IsFixedKey(key)) return absl::OkStatus();
  std::string known = "state, trial, objective, step, cause";
  for (const ParameterSpec& parameter : study.spec->parameters) {
    if (parameter.name == ParameterName(key)) return absl::OkStatus();
    absl::StrAppend(&known, ", ", parameter.name);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("unknown key \"", key, "\"; known are ", known));
}

FilterValue Number(double number) {
  return {absl::StrCat(number), number, false};
}

std::optional<FilterValue> ParameterOf(const StudyRecord& study,
                                       const TrialRecord& trial,
                                       const std::string& name) {
  const std::vector<const ParameterSpec*> specs =
      SpecsByValue(study.spec->parameters, trial.parameters);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const NamedValue& parameter = trial.parameters[i];
    if (parameter.name != name) continue;
    if (specs[i] == nullptr) return std::nullopt;
    FilterValue value{FormatValue(*specs[i], parameter.value), std::nullopt,
                      false};
    if (const auto* number = std::get_if<double>(&parameter.value)) {
      value.number = *number;
    } else if (const auto* integer =
                   std::get_if<std::int64_t>(&parameter.value)) {
      value.number = static_cast<double>(*integer);
    }
    return value;
  }
  return std::nullopt;
}

std::optional<FilterValue> Lookup(const StudyRecord& study,
                                  const TrialRecord& trial,
                                  const std::string& key) {
  if (key == "state") {
    return FilterValue{std::string(ToString(trial.state)), std::nullopt, true};
  }
  if (key == "trial") return Number(static_cast<double>(ToInt(trial.id)));
  if (key == "cause") {
    if (trial.end_cause == TrialEndCause::kNone) return std::nullopt;
    return FilterValue{std::string(ToString(trial.end_cause)), std::nullopt,
                       true};
  }
  if (key == "objective" || key == "step") {
    const std::optional<FinalMeasurement>& measurement =
        IsTerminal(trial.state) ? trial.final_measurement
                                : trial.objective.last;
    if (!measurement.has_value()) return std::nullopt;
    return Number(key == "step" ? static_cast<double>(measurement->step)
                                : measurement->value);
  }
  return ParameterOf(study, trial, ParameterName(key));
}

/// Negative, zero or positive as for strcmp; numbers before text.
int Order(const FilterValue& a, const FilterValue& b) {
  if (a.number.has_value() && b.number.has_value()) {
    return *a.number < *b.number ? -1 : *b.number < *a.number ? 1 : 0;
  }
  if (a.number.has_value() != b.number.has_value()) {
    return a.number.has_value() ? -1 : 1;
  }
  return a.text.compare(b.text);
}

absl::StatusOr<std::vector<TrialId>> Sorted(const StudySnapshot& study,
                                            const std::string& sort) {
  if (sort == "best") return BestFirst(study);
  std::vector<TrialId> ids;
  for (std::size_t i = 1; i <= study.trials.size(); ++i) {
    const TrialId id{static_cast<std::int64_t>(i)};
    if (!IsDeleted(study.trials.Get(id))) ids.push_back(id);
  }
  if (sort.empty()) return ids;
  const bool descending = sort.front() == '-';
  const std::string key = descending ? sort.substr(1) : sort;
  absl::Status known = CheckKey(study, key);
  if (!known.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("sort: ", std::string(known.message()), ", best"));
  }
  using Item = std::pair<std::optional<FilterValue>, TrialId>;
  std::vector<Item> items;
  items.reserve(ids.size());
  for (TrialId id : ids) {
    items.emplace_back(Lookup(study, study.trials.Get(id), key), id);
  }
  std::stable_sort(items.begin(), items.end(),
                   [descending](const Item& a, const Item& b) {
                     if (!a.first.has_value() || !b.first.has_value()) {
                       return a.first.has_value() && !b.first.has_value();
                     }
                     const int order = Order(*a.first, *b.first);
                     return descending ? order > 0 : order < 0;
                   });
  for (std::size_t i = 0; i < items.size(); ++i) ids[i] = items[i].second;
  return ids;
}

}  // namespace

absl::StatusOr<std::vector<TrialId>> SelectTrials(const StudySnapshot& study,
                                                  const TrialQuery& query) {
  if (query.limit < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("limit must be >= 0: ", query.limit));
  }
  VERNIER_ASSIGN_OR_RETURN(const FilterExpression filter,
                           FilterExpression::Parse(query.filter));
  for (const std::string& key : filter.keys()) {
    absl::Status known = CheckKey(study, key);
    if (!known.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("filter: ", std::string(known.message())));
    }
  }
  VERNIER_RETURN_IF_ERROR(CheckWords(filter));
  VERNIER_ASSIGN_OR_RETURN(std::vector<TrialId> ids, Sorted(study, query.sort));
  std::vector<TrialId> selected;
  for (TrialId id : ids) {
    const TrialRecord& trial = study.trials.Get(id);
    if (!filter.Matches([&](const std::string& key) {
          return Lookup(study, trial, key);
        })) {
      continue;
    }
    selected.push_back(id);
    if (query.limit > 0 &&
        selected.size() == static_cast<std::size_t>(query.limit)) {
      break;
    }
  }
  return selected;
}

}  // namespace vernier
