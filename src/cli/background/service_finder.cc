#include "cli/background/service_finder.h"

#include <poll.h>
#include <sys/types.h>

#include <chrono>
#include <cstdio>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/process_environment.h"
#include "base/status_macros.h"
#include "cli/background/background_service.h"
#include "cli/text/console.h"
#include "daemon/data_dir.h"

namespace vernier {
namespace {

constexpr char kIdleExit[] = "30m";
constexpr std::chrono::seconds kStartLimit{60};

/// Waits for the socket, because another client is starting a service, or one
/// is still ending.
bool WaitForSocket(const std::string& path) {
  const auto end = std::chrono::steady_clock::now() + kStartLimit;
  while (std::chrono::steady_clock::now() < end) {
    if (SomebodyListens(path)) return true;
    // Only a connection shows that somebody listens: the socket's file exists
    // before that, and remains when a service dies.
    poll(nullptr, 0, 20);
  }
  return false;
}

absl::Status StartService(const DataDir& data_dir,
                          const std::string& socket_path) {
  // The folder is made for the guard's log. If that fails, the service reports
  // why.
  PrepareDataDir(data_dir).IgnoreError();
  const absl::StatusOr<pid_t> process = StartInBackground(
      {{"serve", "--data-dir", data_dir.root, "--idle-exit", kIdleExit},
       // The service's working directory is "/", because any other file system
       // may have to be unmounted later.
       "/",
       data_dir.LogDir() + "/stderr.log"});
  if (process.ok()) {
    PrintTo(stderr,
            "vernier: started a service in the background (process %d, "
            "data in %s); it ends after %s without work\n",
            static_cast<int>(*process), data_dir.root.c_str(), kIdleExit);
    return absl::OkStatus();
  }
  if (absl::IsAborted(process.status()) && WaitForSocket(socket_path)) {
    return absl::OkStatus();
  }
  return absl::UnavailableError(absl::StrCat(
      "no service runs for ", data_dir.root, ", and none could be started: ",
      std::string(process.status().message())));
}

}  // namespace

std::optional<Endpoint> RunningService(const std::string& endpoint,
                                       const std::string& data_dir) {
  const std::string named = NamedEndpoint(endpoint, data_dir);
  const absl::StatusOr<Endpoint> found =
      named.empty() ? OwnSocket(data_dir) : ParseEndpoint(named);
  if (!found.ok() || found->socket_path.empty() ||
      !SomebodyListens(found->socket_path)) {
    return std::nullopt;
  }
  return *found;
}

std::string NamedEndpoint(const std::string& endpoint,
                          const std::string& data_dir) {
  return endpoint.empty() && data_dir.empty()
             ? EnvironmentVariable("VERNIER_ENDPOINT")
             : endpoint;
}

absl::StatusOr<Endpoint> OwnSocket(const std::string& data_dir) {
  VERNIER_ASSIGN_OR_RETURN(const DataDir found, FindDataDir(data_dir));
  return ParseEndpoint("unix:" + found.SocketPath());
}

absl::StatusOr<Endpoint> FindService(const std::string& endpoint,
                                     const std::string& data_dir) {
  const std::string named = NamedEndpoint(endpoint, data_dir);
  if (!named.empty()) {
    VERNIER_ASSIGN_OR_RETURN(const Endpoint endpoint_named,
                             ParseEndpoint(named));
    if (endpoint_named.socket_path.empty()) return endpoint_named;
    // The error of the call itself explains best why nobody answers.
    const absl::Status reached = ReachSocket(endpoint_named.socket_path);
    if (absl::IsPermissionDenied(reached)) return reached;
    return endpoint_named;
  }
  VERNIER_ASSIGN_OR_RETURN(const Endpoint socket, OwnSocket(data_dir));
  const absl::Status reached = ReachSocket(socket.socket_path);
  if (absl::IsPermissionDenied(reached)) return reached;
  if (!reached.ok()) {
    VERNIER_ASSIGN_OR_RETURN(const DataDir found, FindDataDir(data_dir));
    VERNIER_RETURN_IF_ERROR(StartService(found, socket.socket_path));
  }
  return socket;
}

}  // namespace vernier
