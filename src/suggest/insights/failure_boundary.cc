#include "suggest/insights/failure_boundary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/shown_text.h"
#include "study/find_by_name.h"
#include "study/parameter_value.h"

namespace vernier {
namespace {

using Quantity = FailureBoundary::Quantity;
using Relation = FailureBoundary::Relation;

constexpr std::size_t kMostSearched = 500;  // Failures, and successes.
constexpr std::size_t kMostPaired = 12;     // Parameters.

// The probability with which chance may find a rule, and the parts of it for
// rules on one parameter and on two.
constexpr double kMostByChance = 0.05;
constexpr double kPartOfSingles = 0.9;
constexpr double kPartOfPairs = 0.1;

// A rule holds for at least this much more of the failures than of the
// successes. Over many trials a weak tendency is significant, too, but it
// separates nothing.
constexpr double kClearlyMore = 0.5;

std::optional<double> FindNumber(const Parameters& parameters,
                                 const std::string& name) {
  const ParameterValue* value = FindValue(parameters, name);
  return value == nullptr ? std::nullopt : NumberOf(*value);
}

// Returns NaN where the quantity is no number.
double Combined(Quantity quantity, double first, double second) {
  const double combined =
      quantity == Quantity::kProduct ? first * second : first / second;
  return std::isfinite(combined) ? combined
                                 : std::numeric_limits<double>::quiet_NaN();
}

// Returns the number that a rule compares with its threshold.
std::optional<double> QuantityOf(const FailureBoundary& rule,
                                 const Parameters& parameters) {
  const std::optional<double> first = FindNumber(parameters, rule.first);
  if (rule.quantity == Quantity::kValue || !first.has_value()) return first;
  const std::optional<double> second = FindNumber(parameters, rule.second);
  if (!second.has_value()) return std::nullopt;
  const double combined = Combined(rule.quantity, *first, *second);
  return std::isnan(combined) ? std::nullopt : std::optional(combined);
}

bool Holds(const FailureBoundary& rule, const Parameters& parameters) {
  if (rule.relation == Relation::kEqual) {
    const ParameterValue* value = FindValue(parameters, rule.first);
    const auto* text =
        value == nullptr ? nullptr : std::get_if<std::string>(value);
    return text != nullptr && *text == rule.category;
  }
  const std::optional<double> number = QuantityOf(rule, parameters);
  return number.has_value() &&
         (rule.relation == Relation::kAbove ? *number > rule.threshold
                                            : *number < rule.threshold);
}

// Returns the number with the fewest digits between `low` and `high`, which may
// be the one of them that `may_be_low` says.
double ShortestBetween(double low, double high, bool may_be_low) {
  const double middle = low > 0 && high > 0 ? std::sqrt(low) * std::sqrt(high)
                                            : std::midpoint(low, high);
  if (middle == 0) return 0;
  const auto is_between = [&](double value) {
    return may_be_low ? low <= value && value < high
                      : low < value && value <= high;
  };
  const double magnitude = std::floor(std::log10(std::fabs(middle)));
  for (int digits = 1; digits <= 15; ++digits) {
    const double step = std::pow(10, magnitude - digits + 1);
    std::optional<double> nearest;
    for (const double rounded :
         {std::floor(middle / step) * step, std::ceil(middle / step) * step}) {
      // The text has the decimal number that the product only comes near.
      const double value = ParseNumber(ShortNumber(rounded, digits + 1)).value;
      if (is_between(value) &&
          (!nearest.has_value() ||
           std::fabs(value - middle) < std::fabs(*nearest - middle))) {
        nearest = value;
      }
    }
    if (nearest.has_value()) return *nearest;
  }
  return may_be_low ? low : high;
}

// Fisher's exact test of tables with the same number of trials and of failures.
class FateTest {
 public:
  FateTest(std::size_t num_fates, std::size_t num_failures)
      : n_(num_fates), failures_(num_failures), log_factorials_(n_ + 1) {
    for (std::size_t i = 1; i <= n_; ++i) {
      log_factorials_[i] =
          log_factorials_[i - 1] + std::log(static_cast<double>(i));
    }
  }

  // Returns whether the rule holds for enough more of the failures.
  bool Separates(std::size_t inside, std::size_t inside_failed) const {
    const auto part = [](std::size_t some, std::size_t all) {
      return static_cast<double>(some) / static_cast<double>(all);
    };
    return part(inside_failed, failures_) -
               part(inside - inside_failed, n_ - failures_) >=
           kClearlyMore;
  }

  // Returns the logarithm of the probability that so many of the failures or
  // more are inside by chance; if it is at least `bound`, any number that is.
  double LogProbability(std::size_t inside, std::size_t inside_failed,
                        double bound) const {
    const double first = LogProbabilityOf(inside, inside_failed);
    if (first >= bound) return first;
    double sum = 0;
    const std::size_t most = std::min(inside, failures_);
    for (std::size_t failed = inside_failed; failed <= most; ++failed) {
      const double part = std::exp(LogProbabilityOf(inside, failed) - first);
      sum += part;
      if (part < 1e-12) break;  // The parts fall, since this is the upper tail.
    }
    return first + std::log(sum);
  }

 private:
  double LogChoices(std::size_t of, std::size_t chosen) const {
    return log_factorials_[of] - log_factorials_[chosen] -
           log_factorials_[of - chosen];
  }

  // `inside_failed` must be possible.
  double LogProbabilityOf(std::size_t inside, std::size_t inside_failed) const {
    return LogChoices(inside, inside_failed) +
           LogChoices(n_ - inside, failures_ - inside_failed) -
           LogChoices(n_, failures_);
  }

  const std::size_t n_;
  const std::size_t failures_;
  std::vector<double> log_factorials_;
};

// The best rule of some, and how many they are.
struct BestRule {
  std::optional<FailureBoundary> rule;
  double log_probability = std::numeric_limits<double>::infinity();
  double num_rules = 0;

  // Returns the logarithm of the probability that chance finds such a rule
  // among all, if these may use a part of the error.
  double LogCorrected(double part) const {
    if (!rule.has_value()) return log_probability;
    return log_probability + std::log(num_rules / part);
  }

  void Take(const FateTest& test, std::size_t inside, std::size_t inside_failed,
            const FailureBoundary& candidate) {
    if (!test.Separates(inside, inside_failed)) return;
    const double probability =
        test.LogProbability(inside, inside_failed, log_probability);
    if (probability >= log_probability) return;
    log_probability = probability;
    rule = candidate;
  }

  // Takes a better one than the present rule; of equal ones the earlier stays.
  void Take(const BestRule& other) {
    num_rules += other.num_rules;
    if (other.log_probability >= log_probability) return;
    rule = other.rule;
    log_probability = other.log_probability;
  }
};

// Returns the values of a parameter in all fates; NaN where it is inactive.
std::vector<double> ColumnOf(const std::string& name,
                             const std::vector<const TrialFate*>& fates) {
  std::vector<double> column;
  column.reserve(fates.size());
  for (const TrialFate* fate : fates) {
    column.push_back(FindNumber(fate->parameters, name)
                         .value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  return column;
}

// Returns the best threshold of the quantity that `rule` names and that has
// these values.
BestRule BestThreshold(FailureBoundary rule, const std::vector<double>& values,
                       const std::vector<const TrialFate*>& fates,
                       const FateTest& test) {
  std::vector<std::pair<double, bool>> sorted;
  std::size_t failed_in_all = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    sorted.emplace_back(values[i], fates[i]->has_failed);
    failed_in_all += fates[i]->has_failed ? 1 : 0;
  }
  std::sort(sorted.begin(), sorted.end());
  BestRule best;
  std::size_t failed = 0;
  double cuts = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    failed += sorted[i - 1].second ? 1 : 0;
    const double low = sorted[i - 1].first;
    const double high = sorted[i].first;
    if (low == high) continue;
    ++cuts;
    rule.relation = Relation::kAbove;
    rule.threshold = low;
    best.Take(test, sorted.size() - i, failed_in_all - failed, rule);
    rule.relation = Relation::kBelow;
    rule.threshold = high;
    best.Take(test, i, failed, rule);
  }
  // Neighbouring thresholds separate nearly the same trials, so that they have
  // hardly more chances than one. In the limit of many trials the number of
  // independent ones grows with the logarithm (Miller and Siegmund 1982,
  // "Maximally selected chi square statistics").
  best.num_rules = 2 * std::log2(1 + cuts);
  return best;
}

// Returns the best category of a parameter, in the order of `spec`.
BestRule BestCategory(const ParameterSpec& spec,
                      const std::vector<const TrialFate*>& fates,
                      const FateTest& test) {
  BestRule best;
  FailureBoundary rule;
  rule.first = spec.name;
  rule.relation = Relation::kEqual;
  for (const std::string& category : spec.categorical_values) {
    rule.category = category;
    std::size_t inside = 0;
    std::size_t failed = 0;
    for (const TrialFate* fate : fates) {
      if (!Holds(rule, fate->parameters)) continue;
      ++inside;
      failed += fate->has_failed ? 1 : 0;
    }
    if (inside == 0) continue;
    best.num_rules += 1;
    best.Take(test, inside, failed, rule);
  }
  return best;
}

bool IsPositive(const ParameterSpec& spec) {
  if (spec.type == ParameterType::kCategorical) return false;
  return spec.type == ParameterType::kDiscrete
             ? !spec.discrete_values.empty() && spec.discrete_values[0] > 0
             : spec.min_value > 0;
}

// A positive parameter, and what it says by itself.
struct Paired {
  std::size_t place;  // In the space.
  std::string name;
  double log_probability;
  std::vector<double> values;
};

// Returns the best rule on two of `positive`. Only pairs of the most promising
// parameters are searched, but all of them count as rules.
BestRule BestOfPairs(std::vector<Paired> positive,
                     const std::vector<const TrialFate*>& fates,
                     const FateTest& test) {
  std::stable_sort(positive.begin(), positive.end(),
                   [](const Paired& a, const Paired& b) {
                     return a.log_probability < b.log_probability;
                   });
  const auto count = static_cast<double>(positive.size());
  if (positive.size() > kMostPaired) positive.resize(kMostPaired);
  // A rule names its parameters in the order in which users know them.
  std::sort(positive.begin(), positive.end(),
            [](const Paired& a, const Paired& b) { return a.place < b.place; });
  BestRule best;
  for (std::size_t i = 0; i < positive.size(); ++i) {
    for (std::size_t j = i + 1; j < positive.size(); ++j) {
      for (const Quantity quantity : {Quantity::kProduct, Quantity::kRatio}) {
        FailureBoundary rule;
        rule.first = positive[i].name;
        rule.second = positive[j].name;
        rule.quantity = quantity;
        std::vector<double> values(fates.size());
        for (std::size_t k = 0; k < values.size(); ++k) {
          values[k] =
              Combined(quantity, positive[i].values[k], positive[j].values[k]);
        }
        best.Take(BestThreshold(std::move(rule), values, fates, test));
      }
    }
  }
  const auto searched = static_cast<double>(positive.size());
  if (searched > 1) {
    best.num_rules *= count * (count - 1) / (searched * (searched - 1));
  }
  return best;
}

// Returns at most kMostSearched fates of one kind, evenly spread.
void AppendSpread(const std::vector<TrialFate>& fates, bool has_failed,
                  std::vector<const TrialFate*>* to) {
  std::vector<const TrialFate*> all;
  for (const TrialFate& fate : fates) {
    if (fate.has_failed == has_failed) all.push_back(&fate);
  }
  const std::size_t count = std::min(all.size(), kMostSearched);
  for (std::size_t i = 0; i < count; ++i) {
    to->push_back(all[i * all.size() / count]);
  }
}

// Replaces a threshold that is the value of a trial by a shorter number that
// separates the same trials.
void Shorten(const std::vector<TrialFate>& fates, FailureBoundary* rule) {
  const bool is_above = rule->relation == Relation::kAbove;
  // The threshold is the value of the nearest trial outside; the nearest one
  // inside is on its other side.
  std::optional<double> inside;
  for (const TrialFate& fate : fates) {
    const auto number = QuantityOf(*rule, fate.parameters);
    if (!number.has_value() || !Holds(*rule, fate.parameters)) continue;
    if (!inside.has_value() ||
        (is_above ? *number < *inside : *number > *inside)) {
      inside = number;
    }
  }
  if (!inside.has_value()) return;
  rule->threshold = is_above ? ShortestBetween(rule->threshold, *inside, true)
                             : ShortestBetween(*inside, rule->threshold, false);
}

void CountFates(const std::vector<TrialFate>& fates, FailureBoundary* rule) {
  for (const TrialFate& fate : fates) {
    const bool is_inside = Holds(*rule, fate.parameters);
    ++(is_inside ? rule->inside : rule->outside);
    if (!fate.has_failed) continue;
    ++(is_inside ? rule->inside_failed : rule->outside_failed);
  }
}

}  // namespace

std::optional<FailureBoundary> FindFailureBoundary(
    const std::vector<ParameterSpec>& space,
    const std::vector<TrialFate>& fates) {
  std::vector<const TrialFate*> searched;
  AppendSpread(fates, true, &searched);
  const std::size_t failures = searched.size();
  AppendSpread(fates, false, &searched);
  if (failures < kFewestFates || searched.size() - failures < kFewestFates) {
    return std::nullopt;
  }
  const FateTest test(searched.size(), failures);
  BestRule single;
  std::vector<Paired> positive;
  for (const ParameterSpec& spec : space) {
    if (spec.type == ParameterType::kCategorical) {
      single.Take(BestCategory(spec, searched, test));
      continue;
    }
    FailureBoundary rule;
    rule.first = spec.name;
    std::vector<double> values = ColumnOf(spec.name, searched);
    const BestRule best =
        BestThreshold(std::move(rule), values, searched, test);
    single.Take(best);
    if (IsPositive(spec)) {
      positive.push_back({positive.size(), spec.name, best.log_probability,
                          std::move(values)});
    }
  }
  const BestRule pair = BestOfPairs(std::move(positive), searched, test);
  const double of_single = single.LogCorrected(kPartOfSingles);
  const double of_pair = pair.LogCorrected(kPartOfPairs);
  const bool is_pair = pair.rule.has_value() && of_pair < of_single;
  std::optional<FailureBoundary> rule = is_pair ? pair.rule : single.rule;
  if (!rule.has_value() ||
      (is_pair ? of_pair : of_single) > std::log(kMostByChance)) {
    return std::nullopt;
  }
  if (rule->relation != Relation::kEqual) Shorten(fates, &*rule);
  CountFates(fates, &*rule);
  return rule;
}

std::string DescribeRule(const FailureBoundary& boundary) {
  std::string text = ShowText(boundary.first);
  if (boundary.quantity != Quantity::kValue) {
    absl::StrAppend(&text,
                    boundary.quantity == Quantity::kProduct ? " × " : " / ",
                    ShowText(boundary.second));
  }
  if (boundary.relation == Relation::kEqual) {
    return absl::StrCat(text, " = ", ShowText(boundary.category));
  }
  return absl::StrCat(
      text, boundary.relation == Relation::kAbove ? " above " : " below ",
      ShortNumber(boundary.threshold));
}

std::string DescribeValueAt(const FailureBoundary& boundary,
                            const Parameters& parameters) {
  if (boundary.relation == Relation::kEqual) {
    const ParameterValue* value = FindValue(parameters, boundary.first);
    const auto* text =
        value == nullptr ? nullptr : std::get_if<std::string>(value);
    return text == nullptr ? "" : ShowText(*text);
  }
  const std::optional<double> number = QuantityOf(boundary, parameters);
  return number.has_value() ? ShortNumber(*number) : "";
}

}  // namespace vernier
