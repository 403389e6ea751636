#include "study/parameter_constraint.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include "base/shown_text.h"
#include "study/find_by_name.h"
#include "study/parameter_value.h"

namespace vernier {
namespace {

// The unit roundoffs that are allowed. Weight, product, sum and constant are
// rounded once each; the rest is for the user's decimals, which are rounded,
// too.
constexpr double kRoundings = 8;

// Returns nullopt if the comparison names an inactive parameter.
std::optional<bool> Holds(const ParameterComparison& comparison,
                          const Parameters& parameters) {
  if (comparison.terms.empty()) {
    const ParameterValue* const value =
        FindValue(parameters, comparison.parameter);
    if (value == nullptr) return std::nullopt;
    const auto* const text = std::get_if<std::string>(value);
    const bool is_equal = text != nullptr && *text == comparison.category;
    return is_equal == (comparison.sign == ComparisonSign::kEqual);
  }
  RoundedSum sum;
  for (const WeightedParameter& term : comparison.terms) {
    const ParameterValue* const value = FindValue(parameters, term.parameter);
    if (value == nullptr) return std::nullopt;
    const std::optional<double> number = NumberOf(*value);
    if (!number.has_value()) return false;
    sum.Add(term.weight, *number);
  }
  sum.Add(1, comparison.constant);
  return sum.Compares(comparison.sign);
}

bool Holds(const ComparisonClause& clause, const Parameters& parameters) {
  bool holds = false;
  for (const ParameterComparison& comparison : clause) {
    const std::optional<bool> here = Holds(comparison, parameters);
    if (!here.has_value()) return true;
    holds = holds || *here;
  }
  return holds;
}

}  // namespace

void RoundedSum::Add(double weight, double number) {
  const double product = weight * number;
  value += product;
  error +=
      kRoundings * std::numeric_limits<double>::epsilon() * std::fabs(product);
}

bool RoundedSum::Compares(ComparisonSign sign) const {
  switch (sign) {
    case ComparisonSign::kAtMost:
      return value <= error;
    case ComparisonSign::kBelow:
      return value < -error;
    case ComparisonSign::kEqual:
      return std::fabs(value) <= error;
    case ComparisonSign::kNotEqual:
      return std::fabs(value) > error;
  }
  return false;
}

ParameterComparison NegationOf(ParameterComparison comparison) {
  switch (comparison.sign) {
    case ComparisonSign::kEqual:
      comparison.sign = ComparisonSign::kNotEqual;
      return comparison;
    case ComparisonSign::kNotEqual:
      comparison.sign = ComparisonSign::kEqual;
      return comparison;
    case ComparisonSign::kAtMost:
      comparison.sign = ComparisonSign::kBelow;
      break;
    case ComparisonSign::kBelow:
      comparison.sign = ComparisonSign::kAtMost;
      break;
  }
  for (WeightedParameter& term : comparison.terms) term.weight = -term.weight;
  comparison.constant = 0 - comparison.constant;  // Never -0.
  return comparison;
}

bool Satisfies(const ParameterConstraint& constraint,
               const Parameters& parameters) {
  return std::all_of(constraint.clauses.begin(), constraint.clauses.end(),
                     [&](const ComparisonClause& clause) {
                       return Holds(clause, parameters);
                     });
}

const ParameterConstraint* FirstViolated(
    const std::vector<ParameterConstraint>& constraints,
    const Parameters& parameters) {
  for (const ParameterConstraint& constraint : constraints) {
    if (!Satisfies(constraint, parameters)) return &constraint;
  }
  return nullptr;
}

std::vector<std::string> TextsOf(
    const std::vector<ParameterConstraint>& constraints) {
  std::vector<std::string> texts;
  texts.reserve(constraints.size());
  for (const ParameterConstraint& constraint : constraints) {
    texts.push_back(constraint.text);
  }
  return texts;
}

std::string QuotedTexts(const std::vector<ParameterConstraint>& constraints) {
  std::string texts;
  for (const ParameterConstraint& constraint : constraints) {
    texts += (texts.empty() ? "\"" : "; \"") + ShowText(constraint.text) + "\"";
  }
  return texts;
}

}  // namespace vernier
