#ifndef VERNIER_CLI_SUBMISSION_RUN_FOLLOW_H_
#define VERNIER_CLI_SUBMISSION_RUN_FOLLOW_H_

#include <string>

#include "absl/status/statusor.h"
#include "cli/command/invocation.h"
#include "cli/live/progress_view.h"
#include "cli/submission/run_start.h"
#include "daemon/stop_signal.h"

namespace vernier {

/// Follows until the job is final or paused with nothing running, or until
/// `interrupted`. Returns false in the last case. Trials that had ended before
/// are counted only, unless the job is new.
///
/// If the service goes away meanwhile, reports it and starts it again, or waits
/// for the one that the user named until it answers. Each trial is still
/// printed once. UNAVAILABLE if the service does not start. Also reports when
/// the service cannot store anything, and when it can again.
absl::StatusOr<bool> Follow(Invocation& invocation, const std::string& name,
                            Start start_kind, StopSignal* interrupted,
                            ProgressView* view);

}  // namespace vernier

#endif  // VERNIER_CLI_SUBMISSION_RUN_FOLLOW_H_
