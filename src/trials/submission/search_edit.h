#ifndef VERNIER_TRIALS_SUBMISSION_SEARCH_EDIT_H_
#define VERNIER_TRIALS_SUBMISSION_SEARCH_EDIT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "store/store.h"
#include "study/job_file/job_document.h"
#include "study/metrics/former_names.h"

namespace vernier {

/// The field of an edit that renames metrics: by the new name of a metric, a
/// list with the name that it has.
inline constexpr char kRenamedFrom[] = "vernier.renamedFrom";

/// Returns the fields of an edit, the JSON of a job that need not be complete,
/// that replace those of a job or a study, each as a whole: a list, or a map
/// whose names are the user's own, is one. INVALID_ARGUMENT if it is no object.
/// Pure.
absl::StatusOr<std::vector<FieldOverride>> FieldsOfEdit(
    const std::string& edit);

/// Reads the value of kRenamedFrom. INVALID_ARGUMENT if it has another form.
/// Pure.
absl::StatusOr<FormerNames> RenamesOfEdit(const std::string& json);

/// Returns the text of an edit with its keys in the order of their names, as
/// the same edit may come with another order when it is sent again; the text
/// itself if it is no JSON. Pure.
std::string WithSortedKeys(const std::string& edit);

/// Decides whether the search of `study`, whoever runs its trials, may become
/// that of `after`, and returns the edits in words, renames of metrics first;
/// see PlanSearchEdit and CheckRenames.
/// FAILED_PRECONDITION says what cannot be edited so, why, and how to search
/// anew with what the study has found. Pure.
absl::StatusOr<std::vector<std::string>> PlanEditOf(const StudySnapshot& study,
                                                    const StudySpec& after);

/// Says what to do if what is asked for is no edit of `study`: to search anew,
/// with the study as memory where that is possible. Pure.
std::string NewSearchText(const StudySnapshot& study);

}  // namespace vernier

#endif  // VERNIER_TRIALS_SUBMISSION_SEARCH_EDIT_H_
