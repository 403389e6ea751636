#include "cli/service_finder.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "server/data_dir.h"
#include "study/status_macros.h"

namespace vernier {
namespace {

constexpr char kIdleExit[] = "30m";
constexpr char kLockedPrefix[] = "73 ";
constexpr std::chrono::seconds kStartLimit{60};

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// In the child after fork: becomes a service of its own session.
[[noreturn]] void BecomeService(const std::string& data_dir, int ready_fd) {
  setsid();
  // A folder that is mounted now may have to be unmounted later.
  [[maybe_unused]] const int changed = chdir("/");
  const int null = open("/dev/null", O_RDWR);
  // What a library prints before it dies is kept; the log is a file of its own.
  const std::string stderr_file = data_dir + "/logs/stderr.log";
  int errors = open(stderr_file.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (errors < 0) errors = null;
  dup2(null, STDIN_FILENO);
  dup2(null, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  const std::string fd = std::to_string(ready_fd);
  const char* arguments[] = {
      "vernier",     "serve",   "--background", "--data-dir", data_dir.c_str(),
      "--idle-exit", kIdleExit, "--ready-fd",   fd.c_str(),   nullptr};
  execv("/proc/self/exe", const_cast<char**>(arguments));
  _exit(127);
}

/// Reads one line, or what there is when the writer ends. Empty: nothing came
/// before the limit.
std::string ReadLine(int fd, std::chrono::seconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  std::string text;
  while (text.empty() || text.back() != '\n') {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    pollfd event{fd, POLLIN, 0};
    if (left.count() <= 0) break;
    const int ready = poll(&event, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) break;
    char buffer[4096];
    const ssize_t n = read(fd, buffer, sizeof(buffer));
    if (n <= 0) break;
    text.append(buffer, static_cast<std::size_t>(n));
  }
  return text;
}

/// Another client is starting a service, or one is still ending: wait for its
/// socket.
bool WaitForSocket(const std::string& path) {
  const auto end = std::chrono::steady_clock::now() + kStartLimit;
  while (std::chrono::steady_clock::now() < end) {
    if (SomebodyListens(path)) return true;
    poll(nullptr, 0, 20);
  }
  return false;
}

absl::Status StartService(const DataDir& data_dir,
                          const std::string& socket_path) {
  int ready[2];
  if (pipe2(ready, O_CLOEXEC) != 0) {
    return absl::UnavailableError(
        absl::StrCat("cannot start a service: ", std::strerror(errno)));
  }
  const pid_t child = fork();
  if (child == 0) {
    fcntl(ready[1], F_SETFD, 0);
    BecomeService(data_dir.root, ready[1]);
  }
  close(ready[1]);
  const std::string answer = child < 0 ? "" : ReadLine(ready[0], kStartLimit);
  close(ready[0]);
  if (answer == "ready\n") {
    std::fprintf(stderr,
                 "vernier: started a service in the background (process %d, "
                 "data in %s); it ends after %s without work\n",
                 static_cast<int>(child), data_dir.root.c_str(), kIdleExit);
    return absl::OkStatus();
  }
  if (child > 0) waitpid(child, nullptr, WNOHANG);
  if (absl::StartsWith(answer, kLockedPrefix) && WaitForSocket(socket_path)) {
    return absl::OkStatus();
  }
  std::string reason = answer.substr(answer.find(' ') + 1);
  while (!reason.empty() && reason.back() == '\n') reason.pop_back();
  if (reason.empty()) reason = "it did not say why; see logs/stderr.log there";
  return absl::UnavailableError(
      absl::StrCat("no service runs for ", data_dir.root,
                   ", and none could be started: ", reason));
}

}  // namespace

absl::StatusOr<Endpoint> FindService(const std::string& endpoint,
                                     const std::string& data_dir) {
  std::string named = endpoint;
  if (named.empty() && data_dir.empty()) named = Variable("VERNIER_ENDPOINT");
  if (!named.empty()) return ParseEndpoint(named);
  std::string root = data_dir;
  if (root.empty()) {
    VERNIER_ASSIGN_OR_RETURN(root, DefaultDataDir());
  }
  const DataDir found = DataDirAt(root);
  const std::string path = found.SocketPath();
  VERNIER_ASSIGN_OR_RETURN(const Endpoint socket,
                           ParseEndpoint("unix:" + path));
  if (!SomebodyListens(path)) {
    VERNIER_RETURN_IF_ERROR(StartService(found, path));
  }
  return socket;
}

}  // namespace vernier
