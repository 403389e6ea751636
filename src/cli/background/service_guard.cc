#include "cli/background/service_guard.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "base/unique_fd.h"
#include "cli/background/own_program.h"
#include "cli/text/console.h"

namespace vernier {
namespace {

using std::chrono::milliseconds;

constexpr int kCannotStart = 74;
constexpr std::chrono::minutes kQuickEnd{1};
constexpr int kMostQuickEnds = 10;

void Say(const std::string& what) {
  char time[32];
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::strftime(time, sizeof(time), "%Y-%m-%dT%H:%M:%SZ", &parts);
  PrintTo(stderr, "%s vernier: %s\n", time, what.c_str());
}

sigset_t GuardSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int signal : {SIGCHLD, SIGTERM, SIGINT}) sigaddset(&signals, signal);
  return signals;
}

/// Starts the service. Returns the child, or -1; `ready` becomes the pipe on
/// which it reports that it serves.
pid_t Spawn(const std::vector<std::string>& words, UniqueFd* ready) {
  constexpr int kReadyFd = 3;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return -1;
  ready->Reset(ends[0]);
  const UniqueFd write_end(ends[1]);
  std::vector<std::string> all = {"vernier"};
  all.insert(all.end(), words.begin(), words.end());
  all.insert(all.end(), {"--ready-fd", std::to_string(kReadyFd)});
  std::vector<char*> argv;
  argv.reserve(all.size() + 1);
  for (std::string& word : all) argv.push_back(word.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_adddup2(&actions, write_end.get(), kReadyFd);
  sigset_t none;
  sigemptyset(&none);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t child = -1;
  if (::posix_spawn(&child, OwnProgram().c_str(), &actions, &attributes,
                    argv.data(), environ) != 0) {
    child = -1;
  }
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  return child;
}

std::string ReadAll(const UniqueFd& pipe) {
  std::string text;
  char buffer[4096];
  while (true) {
    const ssize_t n = ::read(pipe.get(), buffer, sizeof(buffer));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(n));
  }
}

void Tell(int fd, const std::string& text) {
  if (fd < 0) return;
  // The process that waits for the message may have ended.
  [[maybe_unused]] const ssize_t written =
      ::write(fd, text.data(), text.size());
  ::close(fd);
}

/// Waits for the child's end, forwards signals to it meanwhile, and returns its
/// wait status.
int AwaitEnd(pid_t child) {
  const sigset_t signals = GuardSignals();
  int status = 0;
  while (true) {
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno == ECHILD)) return status;
    const int signal = ::sigwaitinfo(&signals, nullptr);
    if (signal == SIGTERM || signal == SIGINT) ::kill(child, signal);
  }
}

/// Waits for `delay`. Returns false if this process is asked to end meanwhile.
bool Pause(milliseconds delay) {
  const sigset_t signals = GuardSignals();
  const auto end = std::chrono::steady_clock::now() + delay;
  while (true) {
    const auto left =
        std::chrono::ceil<milliseconds>(end - std::chrono::steady_clock::now());
    if (left <= milliseconds(0)) return true;
    const timespec time{left.count() / 1000, left.count() % 1000 * 1'000'000};
    const int signal = ::sigtimedwait(&signals, nullptr, &time);
    if (signal == SIGTERM || signal == SIGINT) return false;
  }
}

int ExitCodeOfWait(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::optional<milliseconds> RestartDelay(const ServiceEnd& end) {
  if (WIFEXITED(end.wait_status)) {
    for (const int final_code : {0, 2, 73, 76, 77}) {
      if (WEXITSTATUS(end.wait_status) == final_code) return std::nullopt;
    }
  } else if (WTERMSIG(end.wait_status) == SIGTERM ||
             WTERMSIG(end.wait_status) == SIGINT) {
    return std::nullopt;
  }
  if (end.lived >= kQuickEnd) return milliseconds(0);
  if (end.quick_ends_before + 1 >= kMostQuickEnds) return std::nullopt;
  if (end.quick_ends_before == 0) return milliseconds(0);
  constexpr milliseconds kFirst{500};
  constexpr milliseconds kLongest{60000};
  return std::min(kFirst * (1 << end.quick_ends_before), kLongest);
}

std::string DescribeServiceEnd(int wait_status) {
  return WIFEXITED(wait_status)
             ? absl::StrCat("ended with status ", WEXITSTATUS(wait_status))
             : absl::StrCat("was killed by signal ", WTERMSIG(wait_status));
}

int GuardService(const GuardedService& service) {
  // This process's memory has the service's environment, and so its secrets.
  ::prctl(PR_SET_DUMPABLE, 0);
  ::signal(SIGHUP, SIG_IGN);
  ::signal(SIGPIPE, SIG_IGN);
  const sigset_t signals = GuardSignals();
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  // The service and its children must not inherit the pipe.
  if (service.ready_fd >= 0) ::fcntl(service.ready_fd, F_SETFD, FD_CLOEXEC);
  ServiceEnd end;
  for (bool is_first = true;; is_first = false) {
    const auto started = std::chrono::steady_clock::now();
    UniqueFd ready;
    const pid_t child = Spawn(service.words, &ready);
    const std::string answer =
        child < 0 ? absl::StrCat(kCannotStart, " cannot start a process\n")
                  : ReadAll(ready);
    const bool is_ready = answer == "ready\n";
    if (is_first) {
      Tell(service.ready_fd,
           is_ready ? absl::StrCat("ready ", child, "\n") : answer);
    }
    if (child < 0 && is_first) return kCannotStart;
    end.wait_status = child < 0 ? kCannotStart << 8 : AwaitEnd(child);
    // The process that started it has received the error message.
    if (is_first && !is_ready) return ExitCodeOfWait(end.wait_status);
    end.lived = std::chrono::duration_cast<milliseconds>(
        std::chrono::steady_clock::now() - started);
    const std::optional<milliseconds> delay = RestartDelay(end);
    std::error_code error;
    if (!delay || !std::filesystem::exists(service.data_dir, error)) {
      if (end.wait_status != 0) {
        Say(absl::StrCat("the service (process ", child, ") ",
                         DescribeServiceEnd(end.wait_status),
                         "; it is not started again"));
      }
      return ExitCodeOfWait(end.wait_status);
    }
    Say(absl::StrCat("the service (process ", child, ") ",
                     DescribeServiceEnd(end.wait_status),
                     "; starting it again in ", delay->count(), " ms"));
    end.quick_ends_before =
        end.lived >= kQuickEnd ? 0 : end.quick_ends_before + 1;
    if (!Pause(*delay)) return 0;
  }
}

}  // namespace vernier
