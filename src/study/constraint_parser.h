#ifndef VERNIER_STUDY_CONSTRAINT_PARSER_H_
#define VERNIER_STUDY_CONSTRAINT_PARSER_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "study/parameter.h"
#include "study/parameter_constraint.h"

namespace vernier {

/// Reads a constraint on the parameters of `space`, a validated search space:
///
///   layers + width/64 <= 40                 a linear inequality, also >= < >
///   0.5 <= a + 2*(b - c) < 2                several in one
///   not (optimizer = sgd and lr > 0.1)      a forbidden combination
/// the same, written differently
///
/// In combinations, numbers compare by = != < <= > >=, and categories by = and
/// !=. A name or a category with other characters than letters, digits, "_",
/// "." and "-" is put between quotes. Names are those of the space, so that
/// "learning-rate" is one name if a parameter is called so.
///
/// Errors: INVALID_ARGUMENT quotes the text and names the place (from 1), the
/// fault and the remedy: the text is no constraint, names something that the
/// space does not have, cannot hold within the bounds, forbids nothing, or
/// names parameters that are never active together. At most 1,024 bytes, 64
/// comparisons and terms, and 16 levels of parentheses.
absl::StatusOr<ParameterConstraint> ParseParameterConstraint(
    std::string_view text, const std::vector<ParameterSpec>& space);

/// Parses a whole list, of at most kMostParameterConstraints.
absl::StatusOr<std::vector<ParameterConstraint>> ParseParameterConstraints(
    const std::vector<std::string>& texts,
    const std::vector<ParameterSpec>& space);

}  // namespace vernier

#endif  // VERNIER_STUDY_CONSTRAINT_PARSER_H_
