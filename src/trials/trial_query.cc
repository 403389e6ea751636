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
#include "absl/strings/str_join.h"
#include "base/calls/call_meter.h"
#include "base/nearest_name.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "store/metric_summary.h"
#include "study/parameter_value.h"
#include "study/search_space.h"
#include "trials/filters/exact_number.h"
#include "trials/filters/filter_expression.h"
#include "trials/results/best_trials.h"
#include "trials/results/final_values.h"
#include "trials/results/point_means.h"
#include "trials/stopping/set_aside.h"
#include "trials/trial_keys.h"

namespace vernier {
namespace {

// A query is checked against the study first, so that a mistyped key or value
// is an error and not an empty answer. Each key is then resolved once
// (TrialKey), and the trials are read one after another in their packed form
// (TrialBrief): only what the keys need is decoded. Without a sort the answer
// is complete as soon as the limit is reached; with one, a heap holds the first
// `limit` trials.

constexpr char kParameterPrefix[] = "parameters.";
constexpr char kBestFirst[] = "best";
// The state that tables show for an active trial that is set aside.
constexpr std::string_view kPaused = "paused";
constexpr std::string_view kBreaksConstraint = "breaksConstraint";
constexpr std::string_view kTrialKeys[] = {"state", "trial", "objective",
                                           "step",  "cause", kBreaksConstraint};

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

/// Checks the states and causes in the filter, because a mistyped one would
/// select nothing without a message.
absl::Status CheckWords(const FilterExpression& filter) {
  std::vector<std::string> states;
  for (const TrialState state : kTrialStates)
    states.emplace_back(ToString(state));
  states.emplace_back(kPaused);
  VERNIER_RETURN_IF_ERROR(filter.CheckOperands("state", states));
  std::vector<std::string> causes;
  for (const TrialEndCause cause : kCauses) {
    causes.emplace_back(ToString(cause));
  }
  return filter.CheckOperands("cause", causes);
}

bool IsParameter(const StudyRecord& study, const std::string& key) {
  return !SpecsNamed(study, ParameterName(key)).empty();
}

absl::Status CheckKey(const StudyRecord& study, const std::string& key) {
  if (IsFixedKey(key) || IsParameter(study, key) ||
      MetricOfKey(study, key).has_value()) {
    return absl::OkStatus();
  }
  std::vector<std::string> known;
  for (const std::string_view fixed : kTrialKeys) {
    const bool is_of_use =
        fixed != kBreaksConstraint || !study.spec->constraints.empty();
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

}  // namespace

// Parts of TrialSelection::Search. They have a name because a class that is
// known elsewhere may not consist of parts of an unnamed namespace.
namespace trial_query {

// The value of a key in one trial. A text is borrowed from the study.
struct KeyValue {
  ParameterView value;
  bool is_parameter = false;
  const ParameterSpec* spec = nullptr;  // If the space has the parameter still.
};

static std::optional<ExactNumber> NumberOf(const ParameterView& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  return std::nullopt;
}

static std::string TextOf(const KeyValue& of) {
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

// A key of a filter or a sort, resolved once for all trials.
class TrialKey {
 public:
  // The key must be known. It borrows the study.
  TrialKey(const StudySnapshot& study, const std::string& key)
      : TrialKey(study, key, KindOf(study, key)) {}

  // Returns the key for the final value alone, by which the best trials are
  // found.
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

  // Returns the trial's rank, by which trials are sorted before their values:
  // if the best come first, those that may be the best.
  int RankOf(const TrialBrief& trial) const {
    const int rank = ranks_.has_value() ? ranks_->Of(trial) : 0;
    const PointResults* const point = PointOf(trial);
    return point != nullptr && point->is_ruled_out ? std::min(rank, 1) : rank;
  }

  // Returns whether a sort by the best leaves the trial out: with several
  // metrics if it is not on the front, otherwise if it breaks a constraint.
  bool LeavesOut(const TrialBrief& trial) const {
    if (!ranks_.has_value()) return false;
    if (study_.spec->metrics.size() > 1) return !ranks_->IsOptimal(trial.id);
    return !study_.spec->constraints.empty() &&
           trial.state == TrialState::kCompleted && HasEndValue(trial) &&
           !MayBeBest(study_, trial);
  }

  // The words for states and causes may be written in any case, as may true.
  bool ignores_case() const {
    return kind_ == Kind::kState || kind_ == Kind::kCause ||
           kind_ == Kind::kBreaksConstraint;
  }

  // Returns whether this is the state of a trial that tables call paused.
  // Active trials are held unpacked, so this costs little.
  bool IsOfPaused(const TrialBrief& trial) const {
    return kind_ == Kind::kState && trial.state == TrialState::kActive &&
           IsSetAside(study_, *study_.trials.Share(trial.id));
  }

 private:
  enum class Kind {
    kState,
    kTrial,
    kCause,
    kObjective,
    kStep,
    kFinalValue,
    kBreaksConstraint,
    kMetric,  // Another than the objective.
    kParameter
  };

  TrialKey(const StudySnapshot& study, const std::string& key, Kind kind)
      : study_(study), name_(key), kind_(kind) {
    if (kind_ == Kind::kParameter) FindSpec();
    if (kind_ == Kind::kMetric) metric_ = *MetricOfKey(study, key);
    if (kind_ == Kind::kFinalValue) ranks_.emplace(study);
    if (kind_ == Kind::kFinalValue && IsRepeating(study.spec->repeats)) {
      points_ = PointsOf(study);
    }
  }

  // Returns the point by whose mean the trial counts; null if it counts by its
  // own value.
  const PointResults* PointOf(const TrialBrief& trial) const {
    if (!points_.has_value() || !MayBeBest(study_, trial)) return nullptr;
    const auto place = points_->Find(study_.trials.ParametersOf(trial.id));
    return place.has_value() ? &points_->points()[*place] : nullptr;
  }

  static Kind KindOf(const StudySnapshot& study, const std::string& key) {
    if (key == "state") return Kind::kState;
    if (key == "trial") return Kind::kTrial;
    if (key == "cause") return Kind::kCause;
    if (key == "objective") return Kind::kObjective;
    if (key == "step") return Kind::kStep;
    if (key == kBreaksConstraint) return Kind::kBreaksConstraint;
    if (IsParameter(study, key)) return Kind::kParameter;
    const auto metric = MetricOfKey(study, key);
    if (!metric.has_value()) return Kind::kParameter;
    return *metric == ObjectiveOf(*study.spec).name ? Kind::kObjective
                                                    : Kind::kMetric;
  }

  void FindSpec() {
    parameter_ = ParameterName(name_);
    has_earlier_spaces_ = SearchSpacesOf(study_).size() > 1;
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

  // As the objective: the final value, or the last one while the trial is open.
  std::optional<KeyValue> Metric(const TrialBrief& brief) const {
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

  // As the API's breaksConstraint.
  bool Breaks(const TrialBrief& trial) const {
    return !study_.spec->constraints.empty() && HasEndValue(trial) &&
           !MeetsConstraints(*study_.spec, *study_.trials.Share(trial.id));
  }

  std::optional<KeyValue> Parameter(TrialId id) const {
    const auto value = study_.trials.FindParameter(id, parameter_);
    if (!value.has_value()) return std::nullopt;
    const ParameterSpec* const spec =
        is_conditional_ ? ActiveSpec(study_.trials.ParametersOf(id)) : spec_;
    // Before an edit the parameter may have had another place in the space.
    if (spec == nullptr && !has_earlier_spaces_) return std::nullopt;
    return KeyValue{*value, /*is_parameter=*/true, spec};
  }

  // Returns that of several parameters with the name which these values make
  // active.
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
  // True if the spec depends on other values.
  bool is_conditional_ = false;
  bool has_earlier_spaces_ = false;   // The search was edited.
  std::string metric_;                // For kMetric.
  std::optional<TrialRanks> ranks_;   // For kFinalValue.
  std::optional<PointTable> points_;  // Likewise, if the study repeats points.
};

/// Negative, zero or positive as for strcmp; numbers before text.
static int Order(const ParameterView& a, const ParameterView& b) {
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
      FilterValue value{is_text_needed ? TextOf(*found) : "", number,
                        key.ignores_case()};
      if (key.IsOfPaused(*trial_)) value.also = kPaused;
      return value;
    }
    return std::nullopt;
  }

  const FilterExpression& filter_;
  std::vector<Key> keys_;
  const TrialBrief* trial_ = nullptr;  // The one that is being tested.
  const std::function<std::optional<FilterValue>(const std::string&)> lookup_ =
      [this](const std::string& name) { return Lookup(name); };
};

// A trial, and the rank and value that it is sorted by.
struct SortItem {
  int rank = 0;  // The highest comes first, whatever the direction.
  std::optional<ParameterView> value;
  TrialId trial{};
};

// Returns whether one trial comes before another. Those without a value come
// last, and equal ones are in the order of their numbers.
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

}  // namespace trial_query

namespace {

absl::Status CheckSort(const StudyRecord& study, const std::string& key) {
  absl::Status known = CheckKey(study, key);
  if (known.ok()) return known;
  return absl::InvalidArgumentError(
      absl::StrCat("sort: ", std::string(known.message()), ", ", kBestFirst));
}

// Returns whether the parameter is a number under one condition, or before an
// edit, and a text under another.
bool IsMixed(const StudyRecord& study, const std::string& name) {
  std::size_t texts = 0;
  const std::vector<const ParameterSpec*> specs = SpecsNamed(study, name);
  for (const ParameterSpec* spec : specs) {
    texts += spec->type == ParameterType::kCategorical;
  }
  return texts != 0 && texts != specs.size();
}

// Checks that a parameter is compared only with values that it can have. Others
// would be compared as text, and select all trials or none.
absl::Status CheckParameterOperands(const StudyRecord& study,
                                    const std::string& key,
                                    FilterExpression* filter) {
  const std::string name = ParameterName(key);
  if (IsMixed(study, name)) return absl::OkStatus();
  const std::vector<std::string> categories = CategoriesOf(study, name);
  if (categories.empty()) return filter->CheckNumbers(key);
  // Categories such as True and true mean the same.
  filter->MapOperands(
      key,
      [&categories](const std::string& text) -> std::optional<std::string> {
        const std::optional<bool> boolean = BooleanOf(text);
        if (!boolean.has_value() ||
            std::find(categories.begin(), categories.end(), text) !=
                categories.end()) {
          return std::nullopt;
        }
        for (const std::string& each : categories) {
          if (BooleanOf(each) == boolean) return each;
        }
        return std::nullopt;
      });
  return filter->CheckOperands(key, categories, /*ignore_case=*/false);
}

absl::Status CheckFilter(const StudyRecord& study, FilterExpression* filter) {
  const std::vector<std::string> keys = filter->keys();
  for (const std::string& key : keys) {
    absl::Status known = CheckKey(study, key);
    if (!known.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("filter: ", std::string(known.message())));
    }
    if (!IsFixedKey(key) && IsParameter(study, key)) {
      VERNIER_RETURN_IF_ERROR(CheckParameterOperands(study, key, filter));
    } else if (key == kBreaksConstraint) {
      VERNIER_RETURN_IF_ERROR(filter->CheckOperands(key, {"true", "false"}));
    } else if (key != "state" && key != "cause") {
      VERNIER_RETURN_IF_ERROR(filter->CheckNumbers(key));
    }
  }
  return CheckWords(*filter);
}

// A study may have a million trials, and reading one may take a microsecond.
constexpr std::size_t kLookedAtOnce = 4096;

}  // namespace

// The state of one selection. It borrows the study.
class TrialSelection::Search {
 public:
  Search(const StudySnapshot& study, FilterExpression filter, int limit)
      : study_(study),
        filter_(std::move(filter)),
        selection_(study, filter_),
        limit_(limit == 0 ? std::numeric_limits<std::size_t>::max()
                          : static_cast<std::size_t>(limit)) {}

  void SortBy(trial_query::TrialKey key, bool is_descending) {
    key_.emplace(std::move(key));
    comes_before_.emplace(is_descending);
  }

  bool is_done() const { return is_done_; }

  std::vector<TrialId> Next(std::size_t count) {
    std::vector<TrialId> found;
    for (; count > 0 && !is_done_; --count) {
      if (next_ > study_.trials.size()) {
        is_done_ = true;
        break;
      }
      const TrialBrief trial =
          study_.trials.Brief(TrialId{static_cast<std::int64_t>(next_++)});
      if (IsDeleted(trial) || !selection_.Selects(trial)) continue;
      if (key_.has_value()) {
        Keep(trial);
        continue;
      }
      found.push_back(trial.id);
      is_done_ = ++num_found_ == limit_;
    }
    return is_done_ && key_.has_value() ? Sorted() : found;
  }

 private:
  // The first `limit` of those seen so far are a heap, whose front is the last
  // of them: the first 50 of a million need neither a sort of the others nor
  // memory for them.
  void Keep(const TrialBrief& trial) {
    if (key_->LeavesOut(trial)) return;
    const std::optional<trial_query::KeyValue> value = key_->In(trial);
    const trial_query::SortItem item{
        key_->RankOf(trial),
        value.has_value() ? std::optional(value->value) : std::nullopt,
        trial.id};
    if (first_.size() == limit_) {
      if (!(*comes_before_)(item, first_.front())) return;
      std::pop_heap(first_.begin(), first_.end(), *comes_before_);
      first_.pop_back();
    }
    first_.push_back(item);
    std::push_heap(first_.begin(), first_.end(), *comes_before_);
  }

  std::vector<TrialId> Sorted() {
    std::sort_heap(first_.begin(), first_.end(), *comes_before_);
    std::vector<TrialId> ids;
    ids.reserve(first_.size());
    for (const trial_query::SortItem& item : first_) ids.push_back(item.trial);
    return ids;
  }

  const StudySnapshot& study_;
  const FilterExpression filter_;
  trial_query::TrialFilter selection_;
  const std::size_t limit_;
  // They are sorted by it; else by id.
  std::optional<trial_query::TrialKey> key_;
  std::optional<trial_query::ComesBefore> comes_before_;
  std::vector<trial_query::SortItem> first_;
  std::size_t next_ = 1;  // The next trial to read.
  std::size_t num_found_ = 0;
  bool is_done_ = false;
};

absl::StatusOr<std::unique_ptr<TrialSelection::Search>> TrialSelection::Make(
    const StudySnapshot& study, const TrialQuery& query) {
  if (query.limit < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("limit must be >= 0: ", query.limit));
  }
  VERNIER_ASSIGN_OR_RETURN(FilterExpression filter,
                           FilterExpression::Parse(query.filter));
  VERNIER_RETURN_IF_ERROR(CheckFilter(study, &filter));
  auto search = std::make_unique<Search>(study, std::move(filter), query.limit);
  if (query.sort == kBestFirst) {
    search->SortBy(trial_query::TrialKey::FinalValue(study),
                   ObjectiveOf(*study.spec).goal == Goal::kMaximize);
  } else if (!query.sort.empty()) {
    const bool is_descending = query.sort.front() == '-';
    const std::string key = is_descending ? query.sort.substr(1) : query.sort;
    VERNIER_RETURN_IF_ERROR(CheckSort(study, key));
    search->SortBy(trial_query::TrialKey(study, key), is_descending);
  }
  return search;
}

TrialSelection::TrialSelection(std::shared_ptr<const StudySnapshot> study,
                               std::unique_ptr<Search> search)
    : study_(std::move(study)), search_(std::move(search)) {}
TrialSelection::TrialSelection(TrialSelection&&) noexcept = default;
TrialSelection::~TrialSelection() = default;

absl::StatusOr<TrialSelection> TrialSelection::Begin(
    std::shared_ptr<const StudySnapshot> study, const TrialQuery& query) {
  VERNIER_ASSIGN_OR_RETURN(std::unique_ptr<Search> search, Make(*study, query));
  return TrialSelection(std::move(study), std::move(search));
}

bool TrialSelection::is_done() const { return search_->is_done(); }

std::vector<TrialId> TrialSelection::Next() {
  return search_->Next(kLookedAtOnce);
}

absl::StatusOr<std::vector<TrialId>> SelectTrials(const StudySnapshot& study,
                                                  const TrialQuery& query) {
  VERNIER_ASSIGN_OR_RETURN(const auto search,
                           TrialSelection::Make(study, query));
  std::vector<TrialId> ids;
  const auto at_once = static_cast<std::int64_t>(
      std::min<std::size_t>(kLookedAtOnce, study.trials.size()));
  while (!search->is_done()) {
    VERNIER_RETURN_IF_ERROR(UseInCall({at_once, 0}));
    const std::vector<TrialId> found = search->Next(kLookedAtOnce);
    ids.insert(ids.end(), found.begin(), found.end());
  }
  return ids;
}

}  // namespace vernier
