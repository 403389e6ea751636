#ifndef VERNIER_CLI_BACKGROUND_SERVICE_GUARD_H_
#define VERNIER_CLI_BACKGROUND_SERVICE_GUARD_H_

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace vernier {

/// The end of one run of a guarded service.
struct ServiceEnd {
  int wait_status = 0;  ///< As waitpid says.
  std::chrono::milliseconds lived{0};
  /// The number of services directly before this one that each lived for less
  /// than a minute.
  int quick_ends_before = 0;
};

/// Returns how long to wait before the service is started again. nullopt if it
/// must not be: it ended as it was asked to or for idleness (0, SIGTERM,
/// SIGINT), got invalid options (2), lost its data directory to another service
/// (73), a newer release (76) or another user (77), or failed ten times in a
/// row. Pure.
std::optional<std::chrono::milliseconds> RestartDelay(const ServiceEnd& end);

/// Returns "was killed by signal 9", "ended with status 75". Pure.
std::string DescribeServiceEnd(int wait_status);

struct GuardedService {
  std::vector<std::string> words;  ///< Of its command line: "serve", ...
  std::string data_dir;            ///< Not started again without it.
  /// A pipe on which "ready PID\n" is written, or the service's message if its
  /// first start fails; -1 if there is none.
  int ready_fd = -1;
};

/// Runs a service as a child of this process and restarts it whenever it dies,
/// until it ends on purpose; returns its last exit code. Each run has the
/// environment of this process. SIGTERM and SIGINT are forwarded to the
/// service. Reports on standard error. Call it from the main thread, before
/// there are others.
int GuardService(const GuardedService& service);

}  // namespace vernier

#endif  // VERNIER_CLI_BACKGROUND_SERVICE_GUARD_H_
