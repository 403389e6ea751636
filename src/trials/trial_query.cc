#include "trials/trial_query.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "study/search_space.h"
#include "trials/best_trials.h"
#include "trials/filters/exact_number.h"
#include "trials/filters/filter_expression.h"

namespace vernier {
namespace {

constexpr char kParameterPrefix[] = "parameters.";
constexpr char kBestFirst[] = "best";
constexpr std::string_view kTrialKeys[] = {"state", "trial", "objective",
                                           "step", "cause"};

bool IsFixedKey(const std::string& key) {
  return std::find(std::begin(kTrialKeys), std::end(kTrialKeys), key) !=
         std::end(kTrialKeys);
}

std::string ParameterName(const std::string& key) {
  return absl::StartsWith(key, kParameterPrefix)
             ? key.substr(sizeof(kParameterPrefix) - 1)
             : key;
}

constexpr TrialState kTrialStates[] = {
    TrialState::kRequested, TrialState::kActive,  TrialState::kStopping,
    TrialState::kCompleted, TrialState::kStopped, TrialState::kInfeasible,
    TrialState::kFailed};
constexpr TrialEndCause kCauses[] = {
    TrialEndCause::kSuccess,        TrialEndCause::kNoMetric,
    TrialEndCause::kNotFinite,      TrialEndCause::kInfeasible,
    TrialEndCause::kOutOfMemory,    TrialEndCause::kUserError,
    TrialEndCause::kInfrastructure, TrialEndCause::kTimeLimit,
    TrialEndCause::kCancelled,      TrialEndCause::kStoppedEarly,
    TrialEndCause::kLaunchFailed,   TrialEndCause::kStoppedByUser};

/// A mistyped state would select nothing, and say nothing.
absl::Status CheckWords(const FilterExpression& filter) {
  std::vector<std::string> states;
  for (const TrialState state : kTrialStates)
    states.emplace_back(ToString(state));
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

// The value of a key in one trial. A text is borrowed from the study.
struct KeyValue {
  ParameterView value;
  const ParameterSpec* spec = nullptr;  // Of a parameter's value.
};

std::optional<ExactNumber> NumberOf(const ParameterView& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  return std::nullopt;
}

std::string TextOf(const KeyValue& of) {
  if (const auto* text = std::get_if<std::string_view>(&of.value)) {
    return std::string(*text);
  }
  if (const auto* whole = std::get_if<std::int64_t>(&of.value)) {
    return of.spec == nullptr ? absl::StrCat(*whole)
                              : FormatValue(*of.spec, ParameterValue(*whole));
  }
  const double number = std::get<double>(of.value);
  if (of.spec != nullptr) return FormatValue(*of.spec, ParameterValue(number));
  return std::isfinite(number) ? NumberText(number) : absl::StrCat(number);
}

// A key of a filter or a sort, understood once for all trials.
class TrialKey {
 public:
  // The key must be known. It borrows the study.
  TrialKey(const StudySnapshot& study, const std::string& key)
      : TrialKey(study, key, KindOf(key)) {}

  // The value at the end alone, by which the best trials are found.
  static TrialKey FinalValue(const StudySnapshot& study) {
    return TrialKey(study, kBestFirst, Kind::kFinalValue);
  }

  const std::string& name() const { return name_; }

  std::optional<KeyValue> In(const TrialBrief& trial) const {
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
        return HasEndValue(trial) ? Objective(trial.final_measurement)
                                  : std::nullopt;
      case Kind::kParameter:
        return Parameter(trial.id);
    }
    return std::nullopt;
  }

  // What comes before any value: among the best first, those that may be it.
  int RankOf(const TrialBrief& trial) const {
    return kind_ == Kind::kFinalValue && MayBeBest(trial) ? 1 : 0;
  }

  // The words for states and causes may be written in any case.
  bool ignores_case() const {
    return kind_ == Kind::kState || kind_ == Kind::kCause;
  }

 private:
  enum class Kind {
    kState,
    kTrial,
    kCause,
    kObjective,
    kStep,
    kFinalValue,
    kParameter
  };

  TrialKey(const StudySnapshot& study, const std::string& key, Kind kind)
      : study_(study), name_(key), kind_(kind) {
    if (kind_ == Kind::kParameter) FindSpec();
  }

  static Kind KindOf(const std::string& key) {
    if (key == "state") return Kind::kState;
    if (key == "trial") return Kind::kTrial;
    if (key == "cause") return Kind::kCause;
    if (key == "objective") return Kind::kObjective;
    if (key == "step") return Kind::kStep;
    return Kind::kParameter;
  }

  void FindSpec() {
    parameter_ = ParameterName(name_);
    for (const ParameterSpec& spec : study_.spec->parameters) {
      if (spec.name != parameter_) continue;
      is_conditional_ |= spec_ != nullptr || spec.condition.has_value();
      spec_ = &spec;
    }
  }

  std::optional<KeyValue> Objective(
      const std::optional<FinalMeasurement>& measurement) const {
    if (!measurement.has_value()) return std::nullopt;
    if (kind_ == Kind::kStep) return KeyValue{measurement->step};
    return KeyValue{measurement->value};
  }

  std::optional<KeyValue> Parameter(TrialId id) const {
    const auto value = study_.trials.FindParameter(id, parameter_);
    if (!value.has_value()) return std::nullopt;
    const ParameterSpec* const spec =
        is_conditional_ ? ActiveSpec(study_.trials.ParametersOf(id)) : spec_;
    if (spec == nullptr) return std::nullopt;
    return KeyValue{*value, spec};
  }

  // Of several parameters with the name, the one that these values make active.
  const ParameterSpec* ActiveSpec(const Parameters& parameters) const {
    const std::vector<const ParameterSpec*> specs =
        SpecsByValue(study_.spec->parameters, parameters);
    for (std::size_t i = 0; i < specs.size(); ++i) {
      if (parameters[i].name == parameter_) return specs[i];
    }
    return nullptr;
  }

  const StudySnapshot& study_;
  const std::string name_;
  const Kind kind_;
  std::string parameter_;
  const ParameterSpec* spec_ = nullptr;
  // Whether the spec depends on other values.
  bool is_conditional_ = false;
};

/// Negative, zero or positive as for strcmp; numbers before text.
int Order(const ParameterView& a, const ParameterView& b) {
  const std::optional<ExactNumber> number_a = NumberOf(a);
  const std::optional<ExactNumber> number_b = NumberOf(b);
  if (number_a.has_value() && number_b.has_value()) {
    const std::partial_ordering order = CompareNumbers(*number_a, *number_b);
    return order < 0 ? -1 : order > 0 ? 1 : 0;
  }
  if (number_a.has_value() != number_b.has_value()) {
    return number_a.has_value() ? -1 : 1;
  }
  return std::get<std::string_view>(a).compare(std::get<std::string_view>(b));
}

// The trials that a filter selects.
class TrialFilter {
 public:
  // Both must outlive this.
  TrialFilter(const StudySnapshot& study, const FilterExpression& filter)
      : filter_(filter) {
    for (const std::string& key : filter.keys()) {
      keys_.push_back({TrialKey(study, key), filter.ComparesText(key)});
    }
  }

  bool Selects(const TrialBrief& trial) {
    if (keys_.empty()) return true;
    trial_ = &trial;
    return filter_.Matches(lookup_);
  }

 private:
  struct Key {
    TrialKey key;
    bool needs_text;
  };

  std::optional<FilterValue> Lookup(const std::string& name) const {
    for (const auto& [key, needs_text] : keys_) {
      if (key.name() != name) continue;
      const std::optional<KeyValue> found = key.In(*trial_);
      if (!found.has_value()) return std::nullopt;
      const std::optional<ExactNumber> number = NumberOf(found->value);
      const bool is_text_needed = needs_text || !number.has_value();
      return FilterValue{is_text_needed ? TextOf(*found) : "", number,
                         key.ignores_case()};
    }
    return std::nullopt;
  }

  const FilterExpression& filter_;
  std::vector<Key> keys_;
  const TrialBrief* trial_ = nullptr;  // That is being looked at.
  const std::function<std::optional<FilterValue>(const std::string&)> lookup_ =
      [this](const std::string& name) { return Lookup(name); };
};

// Calls `visit` with each trial that is selected, by id, until it returns
// false.
template <typename Visit>
void ForEachSelected(const StudySnapshot& study, const FilterExpression& filter,
                     const Visit& visit) {
  TrialFilter selection(study, filter);
  for (std::size_t n = 1; n <= study.trials.size(); ++n) {
    const TrialBrief trial =
        study.trials.Brief(TrialId{static_cast<std::int64_t>(n)});
    if (IsDeleted(trial) || !selection.Selects(trial)) continue;
    if (!visit(trial)) return;
  }
}

std::vector<TrialId> SelectById(const StudySnapshot& study,
                                const FilterExpression& filter,
                                std::size_t limit) {
  std::vector<TrialId> ids;
  ForEachSelected(study, filter, [&](const TrialBrief& trial) {
    ids.push_back(trial.id);
    return ids.size() < limit;
  });
  return ids;
}

// A trial and what it is sorted by.
struct SortItem {
  int rank = 0;  // The highest comes first, whatever the direction.
  std::optional<ParameterView> value;
  TrialId trial{};
};

// Whether one trial comes before another: those without a value are the last,
// and equal ones are in the order of their numbers.
class ComesBefore {
 public:
  explicit ComesBefore(bool is_descending) : is_descending_(is_descending) {}

  bool operator()(const SortItem& a, const SortItem& b) const {
    if (a.rank != b.rank) return a.rank > b.rank;
    if (a.value.has_value() != b.value.has_value()) return a.value.has_value();
    const int order = a.value.has_value() ? Order(*a.value, *b.value) : 0;
    if (order == 0) return a.trial < b.trial;
    return is_descending_ ? order > 0 : order < 0;
  }

 private:
  const bool is_descending_;
};

std::vector<TrialId> SelectSorted(const StudySnapshot& study,
                                  const FilterExpression& filter,
                                  const TrialKey& key, bool is_descending,
                                  std::size_t limit) {
  const ComesBefore comes_before(is_descending);
  // The first `limit` of those seen so far as a heap, whose front is the last
  // of them: the first 50 of a million need neither a sort of the others nor
  // memory for them.
  std::vector<SortItem> first;
  ForEachSelected(study, filter, [&](const TrialBrief& trial) {
    const std::optional<KeyValue> value = key.In(trial);
    const SortItem item{
        key.RankOf(trial),
        value.has_value() ? std::optional(value->value) : std::nullopt,
        trial.id};
    if (first.size() == limit) {
      if (!comes_before(item, first.front())) return true;
      std::pop_heap(first.begin(), first.end(), comes_before);
      first.pop_back();
    }
    first.push_back(item);
    std::push_heap(first.begin(), first.end(), comes_before);
    return true;
  });
  std::sort_heap(first.begin(), first.end(), comes_before);
  std::vector<TrialId> ids;
  ids.reserve(first.size());
  for (const SortItem& item : first) ids.push_back(item.trial);
  return ids;
}

absl::Status CheckSort(const StudyRecord& study, const std::string& key) {
  absl::Status known = CheckKey(study, key);
  if (known.ok()) return known;
  return absl::InvalidArgumentError(
      absl::StrCat("sort: ", std::string(known.message()), ", ", kBestFirst));
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
  const std::size_t limit = query.limit == 0
                                ? std::numeric_limits<std::size_t>::max()
                                : static_cast<std::size_t>(query.limit);
  if (query.sort.empty()) return SelectById(study, filter, limit);
  if (query.sort == kBestFirst) {
    const bool is_descending = ObjectiveOf(*study.spec).goal == Goal::kMaximize;
    return SelectSorted(study, filter, TrialKey::FinalValue(study),
                        is_descending, limit);
  }
  const bool is_descending = query.sort.front() == '-';
  const std::string key = is_descending ? query.sort.substr(1) : query.sort;
  VERNIER_RETURN_IF_ERROR(CheckSort(study, key));
  return SelectSorted(study, filter, TrialKey(study, key), is_descending,
                      limit);
}

}  // namespace vernier
