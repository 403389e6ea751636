#include "trials/trial_query.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "base/calls/call_meter.h"
#include "base/status_macros.h"
#include "study/parameter_value.h"
#include "study/trial_end.h"
#include "trials/filters/exact_number.h"
#include "trials/filters/filter_expression.h"
#include "trials/resolved_key.h"
#include "trials/trial_keys.h"

namespace vernier {
namespace {

// A query is checked against the study first, so that a mistyped key or value
// is an error and not an empty answer. Each key is then resolved once
// (ResolvedKey), and the trials are read one after another in their packed form
// (TrialBrief): only what the keys need is decoded. Without a sort the answer
// is complete as soon as the limit is reached; with one, a heap holds the first
// `limit` trials.

/// Checks the states and causes in the filter, because a mistyped one would
/// select nothing without a message.
absl::Status CheckWords(const FilterExpression& filter) {
  std::vector<std::string> states;
  for (int state = 1; state <= static_cast<int>(TrialState::kFailed); ++state) {
    states.emplace_back(ToString(static_cast<TrialState>(state)));
  }
  states.emplace_back(kPausedState);
  VERNIER_RETURN_IF_ERROR(filter.CheckOperands("state", states));
  std::vector<std::string> causes;
  for (const TrialEndLaw& law : kTrialEndLaws) {
    const bool ends_trials = !law.happened.empty();
    if (ends_trials) causes.emplace_back(law.name);
  }
  return filter.CheckOperands("cause", causes);
}

// Negative, zero or positive as for strcmp; numbers before text.
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

}  // namespace

// Parts of TrialSelection::Search. They have a name because a class that is
// known elsewhere may not consist of parts of an unnamed namespace.
namespace trial_query {

// The trials that a filter selects.
class TrialFilter {
 public:
  // Both must outlive this.
  TrialFilter(const StudySnapshot& study, const FilterExpression& filter)
      : filter_(filter) {
    for (const std::string& key : filter.keys()) {
      keys_.push_back({ResolvedKey(study, key), filter.ComparesText(key)});
    }
  }

  bool Selects(const TrialBrief& trial) {
    if (keys_.empty()) return true;
    trial_ = &trial;
    return filter_.Matches(lookup_);
  }

 private:
  struct Key {
    ResolvedKey key;
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
      if (key.IsOfPaused(*trial_)) value.also = kPausedState;
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
  absl::Status known = CheckTrialKey(study, key);
  if (known.ok()) return known;
  return absl::InvalidArgumentError(absl::StrCat(
      "sort: ", std::string(known.message()), ", ", std::string(kBestFirst)));
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
  const std::string name = ParameterOfKey(key);
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
    absl::Status known = CheckTrialKey(study, key);
    if (!known.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("filter: ", std::string(known.message())));
    }
    if (MeansParameter(study, key)) {
      VERNIER_RETURN_IF_ERROR(CheckParameterOperands(study, key, filter));
    } else if (key == kBreaksConstraintKey) {
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

  void SortBy(ResolvedKey key, bool is_descending) {
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
    const std::optional<KeyValue> value = key_->In(trial);
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
  std::optional<ResolvedKey> key_;
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
    search->SortBy(ResolvedKey::FinalValue(study),
                   ObjectiveOf(*study.spec).goal == Goal::kMaximize);
  } else if (!query.sort.empty()) {
    const bool is_descending = query.sort.front() == '-';
    const std::string key = is_descending ? query.sort.substr(1) : query.sort;
    VERNIER_RETURN_IF_ERROR(CheckSort(study, key));
    search->SortBy(ResolvedKey(study, key), is_descending);
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
