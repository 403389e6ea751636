#ifndef VERNIER_CLUSTER_PROCESS_COMMAND_RUN_H_
#define VERNIER_CLUSTER_PROCESS_COMMAND_RUN_H_

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cluster/trial_environment.h"

namespace vernier {

/// A short-lived tool, such as `podman rm`.
struct Command {
  std::string path;  ///< Absolute, of the program.
  std::vector<std::string> argv;
  Environment environment;  ///< Complete; nothing is inherited.
  std::chrono::milliseconds time_limit{60000};
  /// The number of bytes of output that are kept; if there are more, the last
  /// ones.
  std::size_t max_output = 1u << 20;
  std::string input = "";  ///< Its standard input; empty: /dev/null.
  /// If this becomes readable, the command is killed and CANCELLED is returned.
  /// Borrowed; -1 if there is none.
  int stop_fd = -1;
  /// Called with each piece of output as it comes; may be null.
  std::function<void(const std::string&)> on_output = nullptr;
};

struct CommandEnd {
  std::optional<int> exit_code;  ///< Unset: a signal or the limit ended it.
  bool is_timed_out = false;
  bool is_cut_off = false;  ///< There was more output than max_output.
  std::string output;       ///< stdout and stderr; of a long one the end.

  bool is_success() const { return exit_code == 0; }
};

/// Says whether a SIGTERM or SIGINT that is pending in this process, which must
/// have blocked both, ends the command.
enum class OnStop { kContinue, kCancel };

/// Runs a tool to its end, in a session of its own. The kernel kills the tool
/// when the calling thread ends. Processes that it leaves in the background are
/// not waited for.
///
/// Errors: NOT_FOUND or PERMISSION_DENIED if it cannot be run; CANCELLED if a
/// stop was requested; UNAVAILABLE or RESOURCE_EXHAUSTED if a process or a
/// descriptor is refused.
absl::StatusOr<CommandEnd> RunCommand(const Command& command,
                                      OnStop on_stop = OnStop::kContinue);

/// Returns the last line of a tool's output that is not empty, without a
/// leading "Error: "; "" if there is none.
std::string LastLineOf(const std::string& output);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_PROCESS_COMMAND_RUN_H_
