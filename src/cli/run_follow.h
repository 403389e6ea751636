#ifndef VERNIER_CLI_RUN_FOLLOW_H_
#define VERNIER_CLI_RUN_FOLLOW_H_

#include <string>

#include "absl/status/statusor.h"
#include "cli/progress_view.h"
#include "cli/run_start.h"
#include "server/job_client.h"

namespace vernier {

/// Follows until the job is final or paused with nothing running, or Ctrl-C.
/// Returns false in the last case. Trials that had ended before are counted
/// only, unless the job is new.
absl::StatusOr<bool> Follow(JobClient& client, const std::string& name,
                            Start start_kind, ProgressView* view);

}  // namespace vernier

#endif  // VERNIER_CLI_RUN_FOLLOW_H_
