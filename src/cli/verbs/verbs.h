#ifndef VERNIER_CLI_VERBS_VERBS_H_
#define VERNIER_CLI_VERBS_VERBS_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "cli/command/invocation.h"
#include "cli/display/log_printer.h"
#include "cli/display/resource_tables.h"

namespace vernier {

namespace v1 {
class ReadLogRequest;
}

/// Each declares some verbs below `app`; parsing one of them sets the
/// invocation's action. `app` must not outlive `invocation`.
void DeclareServeVerb(CLI::App& app, Invocation& invocation);
void DeclareCheckVerb(CLI::App& app, Invocation& invocation);
void DeclareSubmitVerb(CLI::App& jobs, Invocation& invocation);
void DeclareJobVerbs(CLI::App& jobs, Invocation& invocation);
void DeclareDeleteVerb(CLI::App& jobs, Invocation& invocation);
void DeclareRunVerb(CLI::App& app, Invocation& invocation);
void DeclareConvertVerb(CLI::App& app, Invocation& invocation);
void DeclareStatusVerb(CLI::App& app, Invocation& invocation);
void DeclareTopVerb(CLI::App& app, Invocation& invocation);
void DeclareTrialVerbs(CLI::App& app, Invocation& invocation);
void DeclareStudyVerbs(CLI::App& app, Invocation& invocation);
void DeclareInspectVerbs(CLI::App& app, Invocation& invocation);
void DeclareDoctorVerb(CLI::App& app, Invocation& invocation);
void DeclareDevicesVerb(CLI::App& app, Invocation& invocation);
void DeclareInsightsVerb(CLI::App& app, Invocation& invocation);
void DeclareSuggestVerb(CLI::App& app, Invocation& invocation);
void DeclareLocalVerb(CLI::App& app, Invocation& invocation);
void DeclareUiVerb(CLI::App& app, Invocation& invocation);
void DeclareTokenVerbs(CLI::App& app, Invocation& invocation);
void DeclareProjectVerbs(CLI::App& app, Invocation& invocation);
void DeclareBucketVerbs(CLI::App& app, Invocation& invocation);
void DeclareGcloudVerbs(CLI::App& app, Invocation& invocation);

/// The kind of object that a note or an attribute belongs to.
enum class Of { kStudy, kTrial };
/// Each declares one verb of `parent`, as the functions above do.
void DeclareNoteVerb(Of of, CLI::App& parent, Invocation& invocation);
void DeclareSetAttributesVerb(Of of, CLI::App& parent, Invocation& invocation);

/// Prints a job or a study (JSON) in the format of --format; or returns the
/// error that came in its place.
absl::Status PrintJob(const Invocation& invocation,
                      const absl::StatusOr<std::string>& job);
absl::Status PrintStudy(const Invocation& invocation,
                        const absl::StatusOr<std::string>& study);

/// Prints a list of trials (JSON, as TypedTrials returns it) of a job or a
/// study in the format of --format.
absl::Status PrintTrials(const Invocation& invocation,
                         const ClientConnection& client,
                         const std::string& job_id, const std::string& trials,
                         TrialFiles files);

/// Prints logs as they come.
absl::Status PrintLog(const ClientConnection& client,
                      const v1::ReadLogRequest& request,
                      LogPrinter::Style style);

/// Prints the logs in the format of --format: a table in `style_of_table`, or
/// JSON. INVALID_ARGUMENT for another format, before the service is reached.
absl::Status PrintLogInFormat(Invocation& invocation,
                              const v1::ReadLogRequest& request,
                              LogPrinter::Style style_of_table);

}  // namespace vernier

#endif  // VERNIER_CLI_VERBS_VERBS_H_
