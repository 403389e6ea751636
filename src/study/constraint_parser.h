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
///   optimizer != sgd or lr <= 0.1           the same, said the other way
///
/// In combinations, numbers compare by = != < <= > >=, and categories by = and
/// !=. A name or a category with other characters than letters, digits, "_",
/// "." and "-" is put between quotes. Names are those of the space, so that
/// "learning-rate" is one name if a parameter is called so.
///
/// Errors: INVALID_ARGUMENT quotes the text and says where (from 1), what is
/// wrong and what would be right: it is no such text, names what the space has
/// not, cannot hold within the bounds, forbids nothing, or names parameters
/// that are never active together. At most 1,024 bytes, 64 comparisons and
/// terms, and 16 levels of parentheses.
absl::StatusOr<ParameterConstraint> ParseParameterConstraint(
    std::string_view text, const std::vector<ParameterSpec>& space);

/// Likewise of a whole list, of at most kMostParameterConstraints.
absl::StatusOr<std::vector<ParameterConstraint>> ParseParameterConstraints(
    const std::vector<std::string>& texts,
    const std::vector<ParameterSpec>& space);

}  // namespace vernier

#endif  // VERNIER_STUDY_CONSTRAINT_PARSER_H_
