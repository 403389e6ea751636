#include "cluster/local/supervisor_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/process/no_room.h"
#include "cluster/containers/container_engine.h"
#include "cluster/gang/package_installation.h"
#include "cluster/local/supervisor.h"
#include "cluster/process/process_identity.h"

namespace vernier {
namespace {

constexpr int kStatusFd = 3;
// Variables that the supervisor itself reads, and those that tests need.
constexpr std::array kForSupervisor = {"VERNIER_PORT_FILE", "LD_PRELOAD",
                                       "ASAN_OPTIONS",      "LSAN_OPTIONS",
                                       "TSAN_OPTIONS",      "UBSAN_OPTIONS"};

// Frees the C structures of posix_spawn at the end of a scope.
class SpawnSettings {
 public:
  SpawnSettings() {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

void SetDescriptors(const std::string& log, int status_fd,
                    posix_spawn_file_actions_t* actions) {
  ::posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(actions, 2, log.c_str(),
                                     O_WRONLY | O_CREAT | O_APPEND, 0600);
  ::posix_spawn_file_actions_adddup2(actions, 2, 1);
  ::posix_spawn_file_actions_adddup2(actions, status_fd, kStatusFd);
  // The supervisor closes the other descriptors that it inherits.
}

void SetSignals(posix_spawnattr_t* attributes) {
  sigset_t signals;
  sigemptyset(&signals);
  // They are blocked from the first instruction on, so that a kill during the
  // start stays pending.
  for (int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, signal);
  ::posix_spawnattr_setsigmask(attributes, &signals);
  for (int signal : {SIGPIPE, SIGCHLD}) sigaddset(&signals, signal);
  ::posix_spawnattr_setsigdefault(attributes, &signals);
  // It gets its own session, so that signals to the service's group or terminal
  // do not reach it: attempts outlive the service.
  ::posix_spawnattr_setflags(
      attributes,
      static_cast<short>(POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK |
                         POSIX_SPAWN_SETSIGDEF));
}

std::vector<char*> Pointers(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (const std::string& text : strings) {
    pointers.push_back(const_cast<char*>(text.c_str()));
  }
  pointers.push_back(nullptr);
  return pointers;
}

absl::Status SpawnError(int error, const std::string& what) {
  const std::string message = absl::StrCat(what, ": ", std::strerror(error));
  if (error == EMFILE || error == ENFILE || IsNoRoom(error)) {
    return absl::ResourceExhaustedError(message);
  }
  return absl::UnavailableError(message);
}

}  // namespace

std::vector<std::string> SupervisorEnvironment() {
  Environment passed = InstallerEnvironment(environ, JobSpec(), {});
  // The supervisor runs the container engine.
  for (const auto& [name, value] : EngineEnvironment(environ)) {
    passed.emplace(name, value);
  }
  for (const char* name : kForSupervisor) {
    if (const char* value = std::getenv(name)) passed[name] = value;
  }
  std::vector<std::string> environment;
  for (const auto& [name, value] : passed) {
    environment.push_back(absl::StrCat(name, "=", value));
  }
  environment.push_back(std::string(kStatusFdVariable) + "=" +
                        std::to_string(kStatusFd));
  return environment;
}

absl::StatusOr<SupervisorProcess> SpawnSupervisor(
    const std::string& binary, const std::string& attempt_dir,
    const std::vector<std::string>& environment) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return SpawnError(errno, "pipe");
  UniqueFd status(ends[0]);
  const UniqueFd status_write(ends[1]);
  ::fcntl(status.get(), F_SETFL, O_NONBLOCK);

  SpawnSettings settings;
  const std::string log = attempt_dir + "/supervisor.log";
  SetDescriptors(log, status_write.get(), &settings.actions);
  SetSignals(&settings.attributes);
  const std::vector<std::string> arguments = {"vernier", "supervise",
                                              attempt_dir};
  pid_t pid = 0;
  const int error = ::posix_spawn(
      &pid, binary.c_str(), &settings.actions, &settings.attributes,
      Pointers(arguments).data(), Pointers(environment).data());
  if (error != 0) return SpawnError(error, "cannot start " + binary);

  // The process has not been reaped, so the pid still names it.
  absl::StatusOr<UniqueFd> process = OpenProcess(pid);
  if (!process.ok()) {
    // Without a handle the process cannot be watched. Its claim will show its
    // state; killing it here shortens the wait.
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return absl::UnavailableError(std::string(process.status().message()));
  }
  return SupervisorProcess{*std::move(process), std::move(status)};
}

}  // namespace vernier
