#ifndef VERNIER_STUDY_PARAMETER_CONSTRAINT_H_
#define VERNIER_STUDY_PARAMETER_CONSTRAINT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "study/parameter.h"

namespace vernier {

inline constexpr std::size_t kMostParameterConstraints = 64;

/// `weight` times the value of a DOUBLE, INTEGER or DISCRETE parameter.
struct WeightedParameter {
  std::string parameter;
  double weight = 1;  ///< Finite, not 0.

  friend bool operator==(const WeightedParameter&,
                         const WeightedParameter&) = default;
};

/// The relation of a sum to 0, or of a parameter to a category.
enum class ComparisonSign { kAtMost, kBelow, kEqual, kNotEqual };

/// A statement about some parameters, of one of two forms: a sum compares with
/// 0, or a CATEGORICAL parameter is, or is not, one of its values.
struct ParameterComparison {
  ComparisonSign sign = ComparisonSign::kAtMost;
  /// Sorted by name; empty: a category.
  std::vector<WeightedParameter> terms;
  double constant = 0;    ///< Added to the terms.
  std::string parameter;  ///< With a category only.
  std::string category;   ///< Then kEqual or kNotEqual.

  friend bool operator==(const ParameterComparison&,
                         const ParameterComparison&) = default;
};

/// A disjunction: at least one of the comparisons must hold. It does not apply
/// where one of them names a parameter that is inactive.
using ComparisonClause = std::vector<ParameterComparison>;

/// A constraint on the values of a configuration together. Two compare equal if
/// their clauses are the same, however they are written.
struct ParameterConstraint {
  std::string text;                       ///< As the user wrote it.
  std::vector<ComparisonClause> clauses;  ///< Each holds; >= 1.

  friend bool operator==(const ParameterConstraint& a,
                         const ParameterConstraint& b) {
    return a.clauses == b.clauses;
  }
};

/// The value of a sum, and the largest error that rounding may have caused, so
/// that 0.1 + 0.2 counts as at most 0.3.
struct RoundedSum {
  double value = 0;
  double error = 0;

  /// Adds `weight * value`.
  void Add(double weight, double value);

  /// True if the sum compares with 0 as `sign` says, within the error: kBelow
  /// is the negation of "at least 0", and kEqual that of kNotEqual.
  bool Compares(ComparisonSign sign) const;
};

/// Returns the comparison that holds where `comparison` does not.
ParameterComparison NegationOf(ParameterComparison comparison);

/// True if a configuration meets the constraint. A clause with a parameter that
/// `parameters` lacks, since it is inactive, does not apply. Sums are exact
/// except for the rounding of decimal numbers. Pure. O(terms x parameters).
bool Satisfies(const ParameterConstraint& constraint,
               const Parameters& parameters);

/// Returns the first of `constraints` that the configuration does not meet, or
/// null.
const ParameterConstraint* FirstViolated(
    const std::vector<ParameterConstraint>& constraints,
    const Parameters& parameters);

/// Returns the texts of the constraints, for storage and for people.
std::vector<std::string> TextsOf(
    const std::vector<ParameterConstraint>& constraints);

/// Returns the texts in quotes, for a message.
std::string QuotedTexts(const std::vector<ParameterConstraint>& constraints);

}  // namespace vernier

#endif  // VERNIER_STUDY_PARAMETER_CONSTRAINT_H_
