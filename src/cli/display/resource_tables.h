#ifndef VERNIER_CLI_DISPLAY_RESOURCE_TABLES_H_
#define VERNIER_CLI_DISPLAY_RESOURCE_TABLES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/json.h"
#include "base/number_text.h"
#include "cli/display/text_table.h"

namespace vernier {

/// Tables of the service's JSON answers. Errors: INVALID_ARGUMENT if the text
/// is not JSON.

/// Says whether texts and numbers are shortened and times are local, for
/// people, or complete and in UTC.
enum class Digits { kFew, kAll };

/// Returns JOB_ID, STATE, TRIALS, CREATED, NOTE of a list of jobs. The note
/// says what went wrong, or what the job waits for.
absl::StatusOr<TextTable> JobTable(std::string_view jobs, Digits digits);

/// Returns field and value of one job, with gcloud's names; without trials.
absl::StatusOr<TextTable> JobFieldTable(std::string_view job, Digits digits);

/// Returns TRIAL, OBJECTIVE_VALUE, STEP and each parameter of a job, by trial
/// id, as `gcloud ai-platform jobs describe --summarize` prints it.
absl::StatusOr<TextTable> JobSummaryTable(std::string_view job);

enum class TrialFiles { kWithout, kWith };

/// The names that a study's trials have columns for in any case: those of its
/// parameters and of its metrics, the objective first. None, or one, of the
/// metrics means that the objective has a column without its name.
struct TrialColumns {
  std::vector<std::string> parameters;
  std::vector<std::string> metrics;
};

/// Returns, for a list of trials: TRIAL, STATE, OBJECTIVE (each metric, if
/// trials have values of several), STEP, each parameter, JOB_DIR (or FILES, the
/// working directory, in a job without a jobDir), NOTE. The objective of a
/// running trial is its newest value. There are columns for the parameters and
/// metrics in `columns`, and after them for others that some row has, such as a
/// parameter that an edit has dropped. TrialFiles::kWithout leaves JOB_DIR out.
absl::StatusOr<TextTable> TrialTable(
    std::string_view trials, TrialFiles files, Digits digits,
    const std::optional<TrialColumns>& columns = std::nullopt);

/// Returns field and value of one trial, and its attempts.
absl::StatusOr<TextTable> TrialFieldTable(std::string_view trial,
                                          Digits digits);

/// Adds a row for each of a job's or a study's metricConstraints: "constraint
/// memory", "<= 2500".
void AddConstraints(const Json& constraints, TextTable* table);

/// Returns the state of a trial as people read it: "PAUSED" for an active one
/// of which nothing runs, else the API's.
std::string ShownTrialState(const Json& trial);

/// Returns METRIC, STEP, VALUE, TIME of a list of measurements.
absl::StatusOr<TextTable> MeasurementTable(std::string_view measurements,
                                           Digits digits);

/// Returns an RFC 3339 time: as LocalTime for people, unchanged for programs.
std::string TimeText(const std::string& time, Digits digits);

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_RESOURCE_TABLES_H_
