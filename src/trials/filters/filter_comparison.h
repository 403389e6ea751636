#ifndef VERNIER_TRIALS_FILTERS_FILTER_COMPARISON_H_
#define VERNIER_TRIALS_FILTERS_FILTER_COMPARISON_H_

#include <optional>
#include <string>

#include "base/clock.h"
#include "trials/filters/exact_number.h"

namespace vernier {

/// The value of a filter's key in one item.
struct FilterValue {
  std::string text;
  std::optional<ExactNumber> number;  ///< Set if the value is a number.
  bool ignore_case = false;           ///< E.g. the name of a state.
  /// Set if the value is an instant; `text` is then for ":" only.
  std::optional<Timestamp> time = std::nullopt;
  /// Another text for the same value; empty if there is none.
  std::string also = {};
};

/// = != < <= > >= and ":".
enum class FilterOperator { kEq, kNe, kLt, kLe, kGt, kGe, kHas };

/// The text with which a filter compares a key, and all that it may mean.
struct FilterOperand {
  FilterOperand() = default;
  explicit FilterOperand(std::string operand);

  std::string text;
  std::optional<ExactNumber> number;
  std::string lower;  ///< The text in lower case.
  std::optional<Timestamp> time;
};

/// Returns whether the value, or the lack of one, fits the comparison. Instants
/// are compared with instants, and numbers exactly with numbers; all else is
/// compared as text. Pure.
bool Fits(const std::optional<FilterValue>& value, FilterOperator op,
          const FilterOperand& operand);

}  // namespace vernier

#endif  // VERNIER_TRIALS_FILTERS_FILTER_COMPARISON_H_
