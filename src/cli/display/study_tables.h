#ifndef VERNIER_CLI_DISPLAY_STUDY_TABLES_H_
#define VERNIER_CLI_DISPLAY_STUDY_TABLES_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "cli/display/resource_tables.h"
#include "cli/display/text_table.h"

namespace vernier {

/// Tables of the service's JSON answers about studies. Errors: INVALID_ARGUMENT
/// if the text is no JSON.

/// ID, NAME, STATE, RUN_BY, TRIALS, BEST, CREATED of a list of studies. TRIALS
/// are those that ended, of all.
absl::StatusOr<TextTable> StudyTable(std::string_view studies, Digits digits);

/// STUDY, STATE, TRIALS, RUNNING, BEST, LAST_ACTIVITY, WORKED_ON_BY of studies
/// that clients run.
absl::StatusOr<TextTable> WorkedOnTable(std::string_view studies,
                                        Digits digits);

/// The state of a study as people read it: "IDLE" for an open one that nobody
/// works on, else the API's.
std::string ShownStudyState(const Json& study);

/// The part of a study's resource name that its verbs take, too: what follows
/// "/studies/".
std::string ShortStudyName(const std::string& name);

/// Field and value of one study.
absl::StatusOr<TextTable> StudyFieldTable(std::string_view study,
                                          Digits digits);

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_STUDY_TABLES_H_
