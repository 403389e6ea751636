#include "cli/submission/local_train.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

constexpr char kPython[] = "python3";

Json JobPart(const LocalTrain& train) {
  Json job = Json::object();
  job["job_name"] = train.module_name;
  job["args"] = train.args;
  return job;
}

std::string TfConfig(const LocalTrain& train, const Json& task,
                     const Json& cluster) {
  Json config = Json::object();
  config["job"] = JobPart(train);
  config["task"] = task;
  config["cluster"] = cluster;
  config["environment"] = "cloud";
  return DumpJson(config);
}

Json Task(const std::string& type, int index) {
  Json task = Json::object();
  task["type"] = type;
  task["index"] = index;
  return task;
}

Json Addresses(int* next_port, int count) {
  Json addresses = Json::array();
  for (int i = 0; i < count; ++i) {
    addresses.push_back(absl::StrCat("localhost:", (*next_port)++));
  }
  return addresses;
}

/// Runs in the child after the fork. Never returns.
[[noreturn]] void Become(const LocalProcess& process,
                         const std::string& folder) {
  // The background processes must end with this command, even after a kill -9.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (chdir(folder.c_str()) != 0) {
    std::fprintf(stderr, "vernier: cannot enter %s: %s\n", folder.c_str(),
                 std::strerror(errno));
    _exit(127);
  }
  setenv("TF_CONFIG", process.tf_config.c_str(), 1);
  std::vector<char*> argv;
  for (const std::string& word : process.argv) {
    argv.push_back(const_cast<char*>(word.c_str()));
  }
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  std::fprintf(stderr, "vernier: cannot start %s: %s\n", argv[0],
               std::strerror(errno));
  _exit(127);
}

absl::StatusOr<pid_t> StartProcess(const LocalProcess& process,
                                   const std::string& folder) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) {
    return absl::UnavailableError(
        absl::StrCat("cannot start a process: ", std::strerror(errno)));
  }
  if (child == 0) Become(process, folder);
  return child;
}

}  // namespace

std::vector<LocalProcess> LocalProcesses(const LocalTrain& train) {
  std::vector<std::string> argv = {kPython, "-m", train.module_name};
  argv.insert(argv.end(), train.args.begin(), train.args.end());
  if (!train.job_dir.empty()) {
    argv.insert(argv.end(), {"--job-dir", train.job_dir});
  }
  if (!train.distributed) {
    return {{argv, TfConfig(train, Json::object(), Json::object())}};
  }
  // Ports are contiguous: the primary's, then those of ps, then of workers.
  int port = train.start_port;
  Json cluster = Json::object();
  cluster[train.primary] = Addresses(&port, 1);
  cluster["ps"] = Addresses(&port, train.parameter_servers);
  cluster["worker"] = Addresses(&port, train.workers);
  std::vector<LocalProcess> processes;
  const auto add = [&](const std::string& type, int count) {
    for (int i = 0; i < count; ++i) {
      processes.push_back({argv, TfConfig(train, Task(type, i), cluster)});
    }
  };
  add(train.primary, 1);
  add("ps", train.parameter_servers);
  add("worker", train.workers);
  add("evaluator", train.evaluators);
  return processes;
}

absl::StatusOr<int> RunLocal(const LocalTrain& train) {
  const std::vector<LocalProcess> processes = LocalProcesses(train);
  std::vector<pid_t> others;
  absl::Status failed;
  for (std::size_t i = 1; i < processes.size() && failed.ok(); ++i) {
    absl::StatusOr<pid_t> child =
        StartProcess(processes[i], train.package_parent);
    if (child.ok()) others.push_back(*child);
    failed = child.status();
  }
  int status = 0;
  if (failed.ok()) {
    const absl::StatusOr<pid_t> primary =
        StartProcess(processes[0], train.package_parent);
    failed = primary.status();
    while (failed.ok() && waitpid(*primary, &status, 0) < 0 && errno == EINTR) {
    }
  }
  for (const pid_t child : others) kill(child, SIGKILL);
  for (const pid_t child : others) waitpid(child, nullptr, 0);
  VERNIER_RETURN_IF_ERROR(failed);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace vernier
