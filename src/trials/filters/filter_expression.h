#ifndef VERNIER_TRIALS_FILTERS_FILTER_EXPRESSION_H_
#define VERNIER_TRIALS_FILTERS_FILTER_EXPRESSION_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "trials/filters/filter_comparison.h"

namespace vernier {

/// Instants from `from` to `until`, both included.
struct TimeRange {
  Timestamp from = Timestamp::min();
  Timestamp until = Timestamp::max();
};

/// Comparisons joined by AND (also by mere juxtaposition), OR, NOT (or "-")
/// and parentheses, as in the filters of Google's APIs:
///
///   state=completed AND (lr<0.01 OR units>=64) NOT optimizer:sgd
///
/// Operators are = != < <= > >= and ":", which means "contains", or "begins
/// with" if the operand ends with "*"; "key:*" means that the key has a value.
/// Two numbers compare as numbers, all else as text. A key or an operand with
/// blanks or operators in it is put between quotes. AND binds closer than OR.
/// An instant compares with the forms that ParseTimestamp knows.
///
/// Thread-compatible.
class FilterExpression {
 public:
  /// An empty `text` matches everything.
  ///
  /// Errors: INVALID_ARGUMENT says where (from 1) and what would be right. At
  /// most 4,096 bytes and 50 levels of parentheses.
  static absl::StatusOr<FilterExpression> Parse(std::string_view text);

  /// Replaces each operand that `key` is compared with by `replace(operand)`,
  /// unless that is nullopt, for example where words stand for numbers. The
  /// operand of ":" is a text and stays.
  void MapOperands(
      const std::string& key,
      const std::function<std::optional<std::string>(const std::string&)>&
          replace);

  /// INVALID_ARGUMENT if `key`, which has one of `values` in each item, is
  /// compared by "=", "!=" or ":" with something that fits none of them; the
  /// message lists them.
  absl::Status CheckOperands(const std::string& key,
                             const std::vector<std::string>& values,
                             bool ignore_case = true) const;

  /// INVALID_ARGUMENT if `key`, which is a number, is compared with something
  /// else: it would be compared as a text.
  absl::Status CheckNumbers(const std::string& key) const;

  /// Returns whether a comparison with `key` uses FilterValue::text although
  /// FilterValue::number is set. If not, the number need not be printed.
  bool ComparesText(const std::string& key) const;

  /// Returns the keys in the order of the text.
  const std::vector<std::string>& keys() const { return keys_; }

  /// True if the item that `lookup` describes fits. A comparison with a key
  /// that has no value is false, except != which is true.
  bool Matches(
      const std::function<std::optional<FilterValue>(const std::string& key)>&
          lookup) const;

  /// INVALID_ARGUMENT if `key`, which is an instant, is compared with a text
  /// that ParseTimestamp does not read: it would be compared as a text.
  absl::Status CheckTimes(const std::string& key) const;

  /// Returns `text`, from which this was parsed, with each operand that `key`
  /// is compared with replaced by `replace(operand)`, unless that is nullopt.
  /// The operand of ":" stays.
  std::string WithOperands(
      std::string text, const std::string& key,
      const std::function<std::optional<std::string>(const std::string&)>&
          replace) const;

  /// Returns a range outside of which no item matches, by the instants that
  /// `key` is compared with. Items outside of it need not be read.
  TimeRange RangeOf(const std::string& key) const;
  /// Returns the one value that `key` must have for a match, if an "=" that
  /// every match has to meet names it; otherwise nullopt.
  std::optional<std::string> RequiredValue(const std::string& key) const;

 private:
  friend class FilterParser;
  enum class Kind { kAll, kCompare, kAnd, kOr, kNot };
  using Operator = FilterOperator;
  struct Node {
    Kind kind = Kind::kAll;
    std::string key;
    Operator op = Operator::kEq;
    FilterOperand operand = {};
    std::size_t left = 0;  // Indices into nodes_.
    std::size_t right = 0;
    // The place of the operand in the text, with its quotes.
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  static bool FitsAny(const std::optional<FilterValue>& value,
                      const Node& node);
  bool MatchesNode(
      std::size_t index,
      const std::function<std::optional<FilterValue>(const std::string& key)>&
          lookup) const;

  TimeRange RangeOfNode(std::size_t index, const std::string& key) const;
  std::optional<std::string> RequiredOfNode(std::size_t index,
                                            const std::string& key) const;

  std::vector<Node> nodes_;
  std::vector<std::string> keys_;
  std::size_t root_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_FILTERS_FILTER_EXPRESSION_H_
