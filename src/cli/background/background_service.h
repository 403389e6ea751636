#ifndef VERNIER_CLI_BACKGROUND_BACKGROUND_SERVICE_H_
#define VERNIER_CLI_BACKGROUND_BACKGROUND_SERVICE_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace vernier {

/// A service to start in the background.
struct BackgroundService {
  std::vector<std::string> words;  ///< Of its command line: "serve", ...
  std::string work_dir;            ///< Of its process.
  std::string stderr_file;         ///< For what a library says before it dies.
};

/// Starts a service in its own session, under a guard that starts it again if
/// it is killed (service_guard.h), and waits until it serves; returns its
/// process. Safe while other threads run.
///
/// Errors: ABORTED if another process has the data directory; otherwise
/// UNAVAILABLE with the service's own message.
absl::StatusOr<pid_t> StartInBackground(const BackgroundService& service);

}  // namespace vernier

#endif  // VERNIER_CLI_BACKGROUND_BACKGROUND_SERVICE_H_
