#include "cluster/process/command_run.h"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/small_file.h"
#include "base/status_macros.h"
#include "base/unique_fd.h"
#include "cluster/process/process_gang.h"
#include "cluster/process/process_identity.h"

namespace vernier {
namespace {

using std::chrono::milliseconds;
using MonotonicClock = std::chrono::steady_clock;

// The running tool and its output.
class Run {
 public:
  Run(const Command& command, ReplicaProcess& process, UniqueFd handle)
      : command_(command), process_(process), handle_(std::move(handle)) {}

  // Waits for the end of the tool, the time limit, a signal that is read from
  // `stop`, or stop_fd.
  absl::StatusOr<CommandEnd> Await(const UniqueFd& stop) {
    const auto deadline = MonotonicClock::now() + command_.time_limit;
    while (true) {
      pollfd fds[] = {{handle_.get(), POLLIN, 0},
                      {process_.output.get(), POLLIN, 0},
                      {stop.get(), POLLIN, 0},
                      {command_.stop_fd, POLLIN, 0}};
      const auto left =
          std::chrono::ceil<milliseconds>(deadline - MonotonicClock::now());
      ::poll(fds, 4, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
      Drain();
      if (fds[0].revents != 0) break;
      if (fds[3].revents != 0) {
        Kill();
        return absl::CancelledError("stopped on request");
      }
      if (fds[2].revents != 0) {
        signalfd_siginfo info;
        if (::read(stop.get(), &info, sizeof(info)) > 0) {
          Kill();
          return absl::CancelledError("stopped on request");
        }
      }
      if (MonotonicClock::now() >= deadline) {
        end_.is_timed_out = true;
        Kill();
        return end_;
      }
    }
    // Its last output may still be in the pipe, so it is drained once more.
    const int status = Reap();
    Drain();
    Trim(command_.max_output);
    if (WIFEXITED(status)) end_.exit_code = WEXITSTATUS(status);
    return end_;
  }

 private:
  int Reap() {
    int status = 0;
    while (::waitpid(process_.pid, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
  }

  void Kill() {
    ::kill(-process_.pid, SIGKILL);
    // The child may not lead a process group of its own yet.
    ::kill(process_.pid, SIGKILL);
    Reap();
  }

  void Drain() {
    char buffer[65536];
    while (process_.output.is_open()) {
      const ssize_t n = ::read(process_.output.get(), buffer, sizeof(buffer));
      if (n < 0 && errno == EINTR) continue;
      if (n == 0) process_.output.Reset();
      if (n <= 0) return;
      const std::string piece(buffer, static_cast<std::size_t>(n));
      if (command_.on_output) command_.on_output(piece);
      end_.output += piece;
      // Trimming at twice the size keeps cuts rare; each moves the kept bytes.
      if (end_.output.size() > 2 * command_.max_output) {
        Trim(command_.max_output);
      }
    }
  }

  void Trim(std::size_t size) {
    if (end_.output.size() <= size) return;
    end_.output.erase(0, end_.output.size() - size);
    end_.is_cut_off = true;
  }

  const Command& command_;
  ReplicaProcess& process_;
  const UniqueFd handle_;
  CommandEnd end_;
};

// Returns an unnamed file at its beginning. Unlike a pipe it needs no writer
// while the program reads.
absl::StatusOr<UniqueFd> FileInMemory(const std::string& contents) {
  UniqueFd file(::memfd_create("input", MFD_CLOEXEC));
  if (!file.is_open()) return absl::ErrnoToStatus(errno, "memfd_create");
  VERNIER_RETURN_IF_ERROR(
      WriteAll(file.get(), contents.data(), contents.size()));
  if (::lseek(file.get(), 0, SEEK_SET) != 0) {
    return absl::ErrnoToStatus(errno, "lseek");
  }
  return file;
}

}  // namespace

absl::StatusOr<CommandEnd> RunCommand(const Command& command, OnStop on_stop) {
  UniqueFd stop;
  if (on_stop == OnStop::kCancel) {
    sigset_t signals;
    sigemptyset(&signals);
    for (int signal : {SIGTERM, SIGINT}) sigaddset(&signals, signal);
    stop.Reset(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!stop.is_open()) return absl::ErrnoToStatus(errno, "signalfd");
  }
  ReplicaProgram program;
  program.path = command.path;
  program.argv = command.argv;
  program.environment = command.environment;
  UniqueFd input;
  if (!command.input.empty()) {
    VERNIER_ASSIGN_OR_RETURN(input, FileInMemory(command.input));
    program.input_fd = input.get();
  }
  VERNIER_ASSIGN_OR_RETURN(ProcessGang gang,
                           ProcessGang::Start({program}, "/"));
  ReplicaProcess& process = gang.processes().front();
  absl::StatusOr<UniqueFd> handle = OpenProcess(process.pid);
  if (!handle.ok()) {
    ::kill(process.pid, SIGKILL);
    ::waitpid(process.pid, nullptr, 0);
    return absl::UnavailableError(std::string(handle.status().message()));
  }
  absl::StatusOr<CommandEnd> end =
      Run(command, process, *std::move(handle)).Await(stop);
  const ProcessGang::StartReport report = gang.TakeStartReport();
  if (report.state == ProcessGang::StartState::kFailed) {
    return absl::ErrnoToStatus(report.error, command.path);
  }
  return end;
}

std::string LastLineOf(const std::string& output) {
  std::string last;
  for (const auto line : absl::StrSplit(output, '\n')) {
    const auto text = absl::StripAsciiWhitespace(line);
    if (!text.empty()) last = std::string(text);
  }
  return std::string(absl::StripPrefix(last, "Error: "));
}

}  // namespace vernier
