#ifndef VERNIER_STUDY_SEARCH_EDIT_PLAN_H_
#define VERNIER_STUDY_SEARCH_EDIT_PLAN_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "study/search_edits.h"
#include "study/study_spec.h"

namespace vernier {

/// Decides whether the search space of a study that has trials may become that
/// of `after`, constraints between parameters included, and returns the edits
/// in words: "lr: range 1e-05..1 -> 0.0001..0.1". Empty: the spaces are equal.
///
/// Ranges, values, scales, defaults, conditions and constraints may change. A
/// parameter may be added if it has a default, the value that earlier trials
/// had, and dropped if it has a default or one value only, which later trials
/// have. FAILED_PRECONDITION names the parameter that cannot be edited so, why,
/// and what to do instead. `edits` are the traces of
/// earlier edits. Pure.
absl::StatusOr<std::vector<std::string>> PlanSearchEdit(
    const StudySpec& before, const std::optional<SearchEdits>& edits,
    const StudySpec& after);

}  // namespace vernier

#endif  // VERNIER_STUDY_SEARCH_EDIT_PLAN_H_
