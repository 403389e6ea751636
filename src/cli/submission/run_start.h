#ifndef VERNIER_CLI_SUBMISSION_RUN_START_H_
#define VERNIER_CLI_SUBMISSION_RUN_START_H_

#include <chrono>
#include <string>

#include "absl/status/statusor.h"
#include "cli/display/revision_text.h"
#include "cli/submission/job_submission.h"

namespace vernier {

class ClientConnection;

/// The interval at which a job that is followed is polled.
inline constexpr std::chrono::milliseconds kLookPeriod{300};

/// The reason why the job that `vernier run` follows runs.
enum class Start {
  kNew,      ///< The job was submitted now.
  kTakenUp,  ///< It was there and runs, or continues.
  kOver,     ///< It had succeeded before.
};

/// The job as `vernier run` begins to follow it.
struct StartedJob {
  Start start = Start::kNew;
  /// What happened and what changed, for the user. Whoever prints it must be
  /// ready for Ctrl-C, which leaves the job as it is from then on.
  std::string news;
};

/// Makes the job exist and run as requested: submits it, or gives the existing
/// job of that name a new version and continues it. A running job is left as it
/// is unless `restart` is set; one that has succeeded gets more trials only if
/// more were requested. Its news call the job `reference`; what else the user
/// should know of it is printed on standard error. Waits for a cancel that is
/// under way.
///
/// Errors: FAILED_PRECONDITION if the job of that name is another search;
/// CANCELLED if the wait was interrupted; those of the service.
absl::StatusOr<StartedJob> StartOrGoOn(const ClientConnection& client,
                                       const ParsedJob& job,
                                       const JobReference& reference,
                                       bool restart);

}  // namespace vernier

#endif  // VERNIER_CLI_SUBMISSION_RUN_START_H_
