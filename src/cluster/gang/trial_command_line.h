#ifndef VERNIER_CLUSTER_GANG_TRIAL_COMMAND_LINE_H_
#define VERNIER_CLUSTER_GANG_TRIAL_COMMAND_LINE_H_

#include <string>

#include "absl/status/statusor.h"

namespace vernier {

/// A shell command that runs a trial's primary again.
struct TrialCommandLine {
  /// The command for a POSIX shell. It enters the trial's folder, reads the
  /// job's secrets from their file, if there are any, and runs the program. Its
  /// environment is the attempt's, without what belongs to a running attempt:
  /// cluster, GPUs, identity and bucket address. Metrics go to standard output.
  ///
  /// For a primary with an image it is the engine's `run`, with the attempt's
  /// image, folders, GPUs and limits. It uses a terminal if there is one.
  std::string line;
  std::string note;  ///< What is missing, in words; or empty.
};

/// Builds the command from the launcher's files in the attempt's folder. If the
/// attempt has ended, its code is put back into its working directory.
/// `service_environment` is as in environ(7). The answer contains no secret's
/// value.
///
/// Errors: NOT_FOUND if the attempt was never launched, none of its containers
/// was made, or its folder is gone; DATA_LOSS; INVALID_ARGUMENT if it has no
/// program.
absl::StatusOr<TrialCommandLine> CommandLineOf(
    const std::string& attempt_dir, const char* const* service_environment);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_GANG_TRIAL_COMMAND_LINE_H_
