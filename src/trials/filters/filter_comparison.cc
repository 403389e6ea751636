#include "trials/filters/filter_comparison.h"

#include <compare>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "base/timestamp_text.h"

namespace vernier {
namespace {

// Evaluates ":", which means "contains", or "begins with" if the operand ends
// with "*".
bool Has(const std::string& value, const FilterOperand& operand) {
  if (operand.text == "*") return true;
  const std::string text = absl::AsciiStrToLower(value);
  std::string_view part = operand.lower;
  if (part.empty() || part.back() != '*') {
    return text.find(part) != std::string::npos;
  }
  part.remove_suffix(1);
  return text.starts_with(part);
}

std::partial_ordering Compare(const FilterValue& value,
                              const FilterOperand& operand) {
  if (value.time.has_value() && operand.time.has_value()) {
    return *value.time <=> *operand.time;
  }
  if (value.number.has_value() && operand.number.has_value()) {
    return CompareNumbers(*value.number, *operand.number);
  }
  return value.ignore_case ? absl::AsciiStrToLower(value.text) <=> operand.lower
                           : value.text <=> operand.text;
}

}  // namespace

FilterOperand::FilterOperand(std::string operand)
    : text(std::move(operand)),
      number(ReadNumber(text)),
      lower(absl::AsciiStrToLower(text)),
      time(ParseTimestamp(text)) {}

bool Fits(const std::optional<FilterValue>& value, FilterOperator op,
          const FilterOperand& operand) {
  if (!value.has_value()) return op == FilterOperator::kNe;
  if (op == FilterOperator::kHas) return Has(value->text, operand);
  // A NaN equals nothing and is neither below nor above.
  const std::partial_ordering order = Compare(*value, operand);
  switch (op) {
    case FilterOperator::kEq:
      return order == 0;
    case FilterOperator::kNe:
      return order != 0;
    case FilterOperator::kLt:
      return order < 0;
    case FilterOperator::kLe:
      return order <= 0;
    case FilterOperator::kGt:
      return order > 0;
    case FilterOperator::kGe:
      return order >= 0;
    case FilterOperator::kHas:
      break;
  }
  return false;
}

}  // namespace vernier
