#ifndef VERNIER_CLI_RUN_START_H_
#define VERNIER_CLI_RUN_START_H_

#include "absl/status/statusor.h"
#include "cli/job_submission.h"
#include "server/job_client.h"

namespace vernier {

/// How the job that `vernier run` follows came to run.
enum class Start {
  kNew,      ///< The job was submitted now.
  kTakenUp,  ///< It was there and runs, or goes on.
  kOver,     ///< It had succeeded before.
};

/// Makes the job exist and run: submits it, or goes on with the one of its
/// name. Says on standard error which of the two. FAILED_PRECONDITION if the
/// job of that name is another search.
absl::StatusOr<Start> StartOrGoOn(JobClient& client, const ParsedJob& job);

}  // namespace vernier

#endif  // VERNIER_CLI_RUN_START_H_
