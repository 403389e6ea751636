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

/// How a sum compares with 0, or a parameter with a category.
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

/// At least one of them holds. It does not apply where one of them names a
/// parameter that is inactive.
using ComparisonClause = std::vector<ParameterComparison>;

/// What the values of a configuration must meet together. Compares equal if it
/// means the same by its form, however it is written.
struct ParameterConstraint {
  std::string text;                       ///< As the user wrote it.
  std::vector<ComparisonClause> clauses;  ///< Each holds; >= 1.

  friend bool operator==(const ParameterConstraint& a,
                         const ParameterConstraint& b) {
    return a.clauses == b.clauses;
  }
};

/// What a sum came to: its value, and the largest error that rounding may have
/// made of it, so that 0.1 + 0.2 is at most 0.3.
struct RoundedSum {
  double value = 0;
  double error = 0;

  /// Adds `weight * value`.
  void Add(double weight, double value);

  /// Whether it compares so with 0, give or take the error: kBelow is the
  /// contrary of "at least 0", and kEqual that of kNotEqual.
  bool Compares(ComparisonSign sign) const;
};

/// The comparison that holds where `comparison` does not.
ParameterComparison NegationOf(ParameterComparison comparison);

/// Whether a configuration meets the constraint. A clause that names a
/// parameter which `parameters` lacks, since it is inactive, does not apply.
/// Sums are of the very values, and only what rounding makes of decimal numbers
/// is overlooked. Pure. O(terms x parameters).
bool Satisfies(const ParameterConstraint& constraint,
               const Parameters& parameters);

/// The first of `constraints` that the configuration does not meet, or null.
const ParameterConstraint* FirstViolated(
    const std::vector<ParameterConstraint>& constraints,
    const Parameters& parameters);

/// Their texts, for storage and for people.
std::vector<std::string> TextsOf(
    const std::vector<ParameterConstraint>& constraints);

/// Their texts in quotes, for a message.
std::string QuotedTexts(const std::vector<ParameterConstraint>& constraints);

}  // namespace vernier

#endif  // VERNIER_STUDY_PARAMETER_CONSTRAINT_H_
