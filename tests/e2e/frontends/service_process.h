#ifndef VERNIER_TESTS_E2E_FRONTENDS_SERVICE_PROCESS_H_
#define VERNIER_TESTS_E2E_FRONTENDS_SERVICE_PROCESS_H_

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/e2e/frontends/service_start.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {

/// The real binary as a service, with a folder of its own that is removed with
/// this object. Not thread-safe: the test owns it.
class ServiceProcess {
 public:
  ServiceProcess() = default;
  ~ServiceProcess() { End(SIGTERM); }
  ServiceProcess(const ServiceProcess&) = delete;
  ServiceProcess& operator=(const ServiceProcess&) = delete;

  /// Starts it with further options and variables ("NAME=value"), and waits
  /// until it says that it is ready.
  void Start(const std::vector<std::string>& options = {},
             const std::vector<std::string>& variables = {}) {
    const auto pid = StartService(
        {VERNIER_BINARY, DataDir(), options, variables, LogPath()});
    ASSERT_TRUE(pid.ok()) << pid.status();
    pid_ = *pid;
  }

  void End(int signal) {
    if (pid_ == 0) return;
    kill(pid_, signal);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

  pid_t pid() const { return pid_; }
  const std::string& folder() const { return folder_.path(); }
  std::string DataDir() const { return folder_ / "d"; }
  std::string LogPath() const { return folder_ / "log"; }
  std::string Socket() const { return "unix:" + DataDir() + "/vernier.sock"; }

  /// Returns what the service printed.
  std::string Log() const { return ReadText(LogPath()); }

  /// Returns the last value of `key` in the log, e.g. of "endpoint".
  std::string LoggedValue(const std::string& key) const {
    const std::string log = Log();
    const std::size_t at = log.rfind(" " + key + "=");
    if (at == std::string::npos) return "";
    const std::size_t begin = at + key.size() + 2;
    return log.substr(begin, log.find_first_of(" \n", begin) - begin);
  }

  /// Returns a value of /proc/PID/status in KiB, e.g. "VmHWM".
  long StatusKib(const std::string& key) const {
    std::ifstream file("/proc/" + std::to_string(pid_) + "/status");
    for (std::string line; std::getline(file, line);) {
      if (line.rfind(key + ":", 0) == 0) {
        return std::stol(line.substr(key.size() + 1));
      }
    }
    return -1;
  }

  /// Returns the processor time that the service has used, in seconds.
  double CpuSeconds() const {
    const std::string text =
        ReadText("/proc/" + std::to_string(pid_) + "/stat");
    std::istringstream fields(text.substr(text.rfind(')') + 2));
    std::string skipped;
    for (int i = 0; i < 11; ++i) fields >> skipped;
    double user = 0;
    double system = 0;
    fields >> user >> system;
    return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
  }

 private:
  const ScratchFolder folder_;
  pid_t pid_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_E2E_FRONTENDS_SERVICE_PROCESS_H_
