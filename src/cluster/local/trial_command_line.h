#ifndef VERNIER_CLUSTER_LOCAL_TRIAL_COMMAND_LINE_H_
#define VERNIER_CLUSTER_LOCAL_TRIAL_COMMAND_LINE_H_

#include <string>

#include "absl/status/statusor.h"

namespace vernier {

/// How to run a trial's primary by hand.
struct TrialCommandLine {
  /// For a POSIX shell. It enters the trial's folder, reads the job's secrets
  /// from their file, if it has any, and runs the program with exactly the
  /// environment of the attempt, less what belongs to a running attempt: its
  /// cluster, GPUs, identity and bucket address. Metrics go to standard output.
  std::string line;
  std::string note;  ///< What is missing, in words; or empty.
};

/// From what the launcher wrote into an attempt's folder. `service_environment`
/// is as in environ(7). No value of a secret is in the answer.
///
/// Errors: NOT_FOUND if the attempt was never launched or its folder is gone;
/// DATA_LOSS; INVALID_ARGUMENT if it has no program.
absl::StatusOr<TrialCommandLine> CommandLineOf(
    const std::string& attempt_dir, const char* const* service_environment);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_LOCAL_TRIAL_COMMAND_LINE_H_
