#ifndef VERNIER_TESTS_E2E_FRONTENDS_SERVICE_START_H_
#define VERNIER_TESTS_E2E_FRONTENDS_SERVICE_START_H_

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

extern char** environ;

namespace vernier {

struct ServiceStart {
  std::string binary;
  std::string data_dir;
  std::vector<std::string> options;    ///< Further arguments.
  std::vector<std::string> variables;  ///< "NAME=value"; besides ours.
  std::string log_path;                ///< Of its stderr; empty: ours.
};

/// Starts the real binary as a service and waits until it says that it is
/// ready. The caller must end the process.
inline absl::StatusOr<pid_t> StartService(ServiceStart start) {
  int ready[2];
  if (pipe2(ready, O_CLOEXEC) != 0) return absl::InternalError("no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ready[1], 3);
  if (!start.log_path.empty()) {
    posix_spawn_file_actions_addopen(&actions, 2, start.log_path.c_str(),
                                     O_WRONLY | O_CREAT | O_APPEND, 0600);
  }
  std::vector<std::string> words = {start.binary,   "serve",      "--data-dir",
                                    start.data_dir, "--ready-fd", "3"};
  words.insert(words.end(), start.options.begin(), start.options.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::vector<char*> environment;
  for (std::string& each : start.variables) environment.push_back(each.data());
  for (char** each = environ; *each != nullptr; ++each) {
    environment.push_back(*each);
  }
  environment.push_back(nullptr);
  pid_t pid = 0;
  const int error = posix_spawn(&pid, start.binary.c_str(), &actions, nullptr,
                                argv.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  close(ready[1]);
  std::string said;
  char c = 0;
  while (error == 0 && read(ready[0], &c, 1) == 1) said += c;
  close(ready[0]);
  if (error != 0) return absl::ErrnoToStatus(error, "cannot start it");
  if (said == "ready\n") return pid;
  kill(pid, SIGTERM);
  waitpid(pid, nullptr, 0);
  return absl::InternalError("the service did not start: " + said);
}

}  // namespace vernier

#endif  // VERNIER_TESTS_E2E_FRONTENDS_SERVICE_START_H_
