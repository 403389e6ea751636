#ifndef VERNIER_CLI_COMMAND_EXIT_CODE_H_
#define VERNIER_CLI_COMMAND_EXIT_CODE_H_

#include "absl/status/status.h"

namespace vernier {

/// The exit codes of `vernier`. docs/command-line.md lists them; scripts rely
/// on them, so do not renumber. The service's own (73 to 77) are in
/// store/exit_code.h.
enum ExitCode : int {
  kExitDone = 0,
  kExitJobFailed = 1,    ///< The job failed, was cancelled or paused; or an
                         ///< error that none of the others names.
  kExitUsage = 2,        ///< Bad usage or input, or wrong for the job's state.
  kExitNotFound = 3,     ///< No such job or trial.
  kExitUnreachable = 4,  ///< No service answers.
  kExitDetached = 130,   ///< Ctrl-C; the job continues.
};

/// Returns the exit code for a call that failed.
inline ExitCode ExitCodeOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return kExitDone;
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kAlreadyExists:
    case absl::StatusCode::kOutOfRange:
      return kExitUsage;
    case absl::StatusCode::kNotFound:
      return kExitNotFound;
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDeadlineExceeded:
      return kExitUnreachable;
    default:
      return kExitJobFailed;
  }
}

}  // namespace vernier

#endif  // VERNIER_CLI_COMMAND_EXIT_CODE_H_
