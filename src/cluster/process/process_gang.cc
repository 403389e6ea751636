#include "cluster/process/process_gang.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/small_file.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

// A gang starts through two pipes. Every child reads one byte from the barrier
// pipe and runs its program only then, so none runs unless all were forked. The
// start pipe is close-on-exec: a failed exec writes a message to it, and its
// end-of-file without a message shows that every program runs.

// Exit code of a child whose program could not be run.
constexpr int kExecFailedCode = 127;

struct Pipe {
  UniqueFd read_end;
  UniqueFd write_end;
};

absl::StatusOr<Pipe> MakePipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return absl::ErrnoToStatus(errno, "pipe");
  return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

// A child's message that its program cannot be run. It is small enough for one
// atomic write to a pipe.
struct StartFailure {
  std::uint32_t position;
  std::int32_t error;
};

// Everything that a child needs, prepared before the fork, because between fork
// and exec it must not allocate.
struct ChildPlan {
  std::uint32_t position = 0;
  const char* path = nullptr;
  const char* work_dir = nullptr;
  std::vector<std::string> environment;
  std::vector<char*> argv;
  std::vector<char*> envp;
};

ChildPlan MakePlan(const ReplicaProgram& program, std::size_t position,
                   const std::string& work_dir) {
  ChildPlan plan;
  plan.position = static_cast<std::uint32_t>(position);
  plan.path = program.path.c_str();
  plan.work_dir = work_dir.c_str();
  for (const std::string& argument : program.argv) {
    plan.argv.push_back(const_cast<char*>(argument.c_str()));
  }
  plan.argv.push_back(nullptr);
  plan.environment.reserve(program.environment.size());
  for (const auto& [name, value] : program.environment) {
    plan.environment.push_back(absl::StrCat(name, "=", value));
    plan.envp.push_back(plan.environment.back().data());
  }
  plan.envp.push_back(nullptr);
  return plan;
}

struct ChildFds {
  int barrier_read;
  int barrier_write;
  int start;
  int output;
  int input;
};

void ResetSignals() {
  // exec keeps ignored and blocked signals; a program expects neither.
  for (int signal : {SIGHUP, SIGPIPE, SIGTERM, SIGINT, SIGCHLD, SIGXFSZ}) {
    ::signal(signal, SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void FailStart(const ChildPlan& plan, const ChildFds& fds) {
  const StartFailure failure{plan.position, errno};
  if (::write(fds.start, &failure, sizeof(failure)) < 0) {
    // The supervisor died, so nobody reads the message.
  }
  ::_exit(kExecFailedCode);
}

[[noreturn]] void RunChild(const ChildPlan& plan, const ChildFds& fds,
                           pid_t supervisor) {
  // The kernel kills this process when its supervisor dies, so that no replica
  // outlives it.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The supervisor may have died before the line above took effect.
  if (::getppid() != supervisor) ::_exit(kExecFailedCode);
  ::close(fds.barrier_write);
  // In a group of its own, signals reach this replica's processes and no
  // others.
  ::setsid();
  ResetSignals();
  char go = 0;
  ssize_t n = 0;
  do {
    n = ::read(fds.barrier_read, &go, 1);
  } while (n < 0 && errno == EINTR);
  // The barrier was closed without a go: some replica could not be forked, or
  // the supervisor died.
  if (n != 1) ::_exit(kExecFailedCode);
  if (::dup2(fds.input, 0) < 0 || ::dup2(fds.output, 1) < 0 ||
      ::dup2(fds.output, 2) < 0 || ::chdir(plan.work_dir) != 0) {
    FailStart(plan, fds);
  }
  // Every other descriptor of this process is close-on-exec.
  ::execve(plan.path, plan.argv.data(), plan.envp.data());
  FailStart(plan, fds);
}

void KillAll(const std::vector<ReplicaProcess>& processes) {
  for (const ReplicaProcess& process : processes) {
    ::kill(process.pid, SIGKILL);
  }
  for (const ReplicaProcess& process : processes) {
    while (::waitpid(process.pid, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
}

// Forks one child and appends it to `processes`.
absl::Status ForkOne(const ReplicaProgram& program, std::size_t position,
                     const std::string& work_dir, ChildFds fds,
                     std::vector<ReplicaProcess>& processes) {
  VERNIER_ASSIGN_OR_RETURN(Pipe output, MakePipe());
  const ChildPlan plan = MakePlan(program, position, work_dir);
  fds.output = output.write_end.get();
  if (program.input_fd >= 0) fds.input = program.input_fd;
  const pid_t supervisor = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return absl::ErrnoToStatus(errno, "fork");
  if (pid == 0) RunChild(plan, fds, supervisor);
  ::fcntl(output.read_end.get(), F_SETFL, O_NONBLOCK);
  processes.push_back({pid, std::move(output.read_end)});
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ProcessGang> ProcessGang::Start(
    const std::vector<ReplicaProgram>& programs, const std::string& work_dir) {
  VERNIER_ASSIGN_OR_RETURN(Pipe barrier, MakePipe());
  VERNIER_ASSIGN_OR_RETURN(Pipe start, MakePipe());
  UniqueFd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!null.is_open()) return absl::ErrnoToStatus(errno, "/dev/null");

  ProcessGang gang;
  const ChildFds fds{barrier.read_end.get(), barrier.write_end.get(),
                     start.write_end.get(), -1, null.get()};
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const absl::Status forked =
        ForkOne(programs[i], i, work_dir, fds, gang.processes_);
    if (!forked.ok()) {
      KillAll(gang.processes_);
      return forked;
    }
  }
  const std::string go(programs.size(), 'g');
  const absl::Status opened =
      WriteAll(barrier.write_end.get(), go.data(), go.size());
  if (!opened.ok()) {
    KillAll(gang.processes_);
    return opened;
  }
  ::fcntl(start.read_end.get(), F_SETFL, O_NONBLOCK);
  gang.start_ = std::move(start.read_end);
  return gang;
}

ProcessGang::StartReport ProcessGang::TakeStartReport() {
  while (start_.is_open()) {
    StartFailure failure;
    const ssize_t n = ::read(start_.get(), &failure, sizeof(failure));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) break;  // Some have not run their program yet.
    start_.Reset();
    if (n == sizeof(failure)) {
      report_.state = StartState::kFailed;
      report_.position = failure.position;
      report_.error = failure.error;
    } else {
      // The pipe has ended, since each exec has closed its child's copy.
      report_.state = StartState::kAllRun;
    }
  }
  return report_;
}

absl::StatusOr<std::vector<pid_t>> ListChildren(pid_t parent) {
  const std::string name = std::to_string(parent);
  VERNIER_ASSIGN_OR_RETURN(
      const std::string text,
      ReadSmallFile("/proc/" + name + "/task/" + name + "/children"));
  std::vector<pid_t> children;
  std::istringstream words(text);
  for (pid_t pid = 0; words >> pid;) children.push_back(pid);
  return children;
}

}  // namespace vernier
