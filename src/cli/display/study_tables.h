#ifndef VERNIER_CLI_DISPLAY_STUDY_TABLES_H_
#define VERNIER_CLI_DISPLAY_STUDY_TABLES_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "cli/display/resource_tables.h"
#include "cli/display/text_table.h"

namespace vernier {

/// Tables of the service's JSON answers about studies. Errors: INVALID_ARGUMENT
/// if the text is not JSON.

/// Returns ID, NAME, STATE, RUN_BY, TRIALS, BEST, CREATED of a list of studies.
/// TRIALS shows how many of all trials have ended.
absl::StatusOr<TextTable> StudyTable(std::string_view studies, Digits digits);

/// Returns STUDY, STATE, TRIALS, RUNNING, BEST, LAST_ACTIVITY, WORKED_ON_BY of
/// studies that clients run.
absl::StatusOr<TextTable> WorkedOnTable(std::string_view studies,
                                        Digits digits);

/// Returns the state of a study as people read it: "IDLE" for an open one that
/// nobody works on, else the API's.
std::string ShownStudyState(const Json& study);

/// Returns the part of a study's resource name after "/studies/", which its
/// verbs accept, too.
std::string ShortStudyName(const std::string& name);

/// Returns field and value of one study.
absl::StatusOr<TextTable> StudyFieldTable(std::string_view study,
                                          Digits digits);

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_STUDY_TABLES_H_
