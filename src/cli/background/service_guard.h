#ifndef VERNIER_CLI_BACKGROUND_SERVICE_GUARD_H_
#define VERNIER_CLI_BACKGROUND_SERVICE_GUARD_H_

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace vernier {

/// How one run of a guarded service came to an end.
struct ServiceEnd {
  int wait_status = 0;  ///< As waitpid says.
  std::chrono::milliseconds lived{0};
  /// Ends before this one, one after the other, of services that had lived for
  /// less than a minute.
  int quick_ends_before = 0;
};

/// How long to wait before the service is started again; nullopt: not at all,
/// since it ended as it was asked to or for idleness (0, SIGTERM, SIGINT), was
/// given options that cannot be (2), has lost its data directory to another
/// service (73), a newer release (76) or another user (77), or does not stay up
/// (ten times in a row). Pure.
std::optional<std::chrono::milliseconds> RestartDelay(const ServiceEnd& end);

/// "was killed by signal 9", "ended with status 75". Pure.
std::string DescribeServiceEnd(int wait_status);

struct GuardedService {
  std::vector<std::string> words;  ///< Of its command line: "serve", ...
  std::string data_dir;            ///< Not started again without it.
  /// A pipe that is told "ready PID\n", or what the service says if its first
  /// start fails; -1: none.
  int ready_fd = -1;
};

/// Runs a service as a child of this process and starts it again whenever it
/// dies, until it ends as it should; returns its last exit code. What it starts
/// has the same environment each time, this process's. SIGTERM and SIGINT are
/// passed on to the service. Says on standard error what it does. Call from
/// main's thread, before there are others.
int GuardService(const GuardedService& service);

}  // namespace vernier

#endif  // VERNIER_CLI_BACKGROUND_SERVICE_GUARD_H_
