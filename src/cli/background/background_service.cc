#include "cli/background/background_service.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/process/descriptor_range.h"
#include "base/unique_fd.h"
#include "cli/background/own_program.h"

namespace vernier {
namespace {

constexpr char kReadyPrefix[] = "ready ";
constexpr char kLockedPrefix[] = "73 ";
constexpr std::chrono::seconds kSocketLimit{60};

/// Everything that the child needs, prepared before the fork, because at the
/// fork another thread may hold a lock of the allocator.
struct ChildPlan {
  std::string program;
  std::vector<std::string> words;
  std::vector<char*> argv;
  std::string work_dir;
  std::string stderr_file;
};

ChildPlan MakeChildPlan(const BackgroundService& service, int ready_fd) {
  ChildPlan plan;
  plan.program = OwnProgram();
  plan.words = {"vernier"};
  plan.words.insert(plan.words.end(), service.words.begin(),
                    service.words.end());
  plan.words.insert(plan.words.end(), {"--background", "--guard", "--ready-fd",
                                       std::to_string(ready_fd)});
  for (std::string& word : plan.words) plan.argv.push_back(word.data());
  plan.argv.push_back(nullptr);
  plan.work_dir = service.work_dir;
  plan.stderr_file = service.stderr_file;
  return plan;
}

/// Runs in the child after the fork: becomes the guard, in its own session.
[[noreturn]] void BecomeGuard(const ChildPlan& plan, int ready_fd) {
  setsid();
  [[maybe_unused]] const int changed = chdir(plan.work_dir.c_str());
  const int null = open("/dev/null", O_RDWR);
  int errors =
      open(plan.stderr_file.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (errors < 0) errors = null;
  dup2(null, STDIN_FILENO);
  dup2(null, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  EndDescriptors(STDERR_FILENO + 1, ~0u, DescriptorEnd::kOnExec);
  fcntl(ready_fd, F_SETFD, 0);
  execv(plan.program.c_str(), plan.argv.data());
  _exit(127);
}

/// Reads one line, or the part of it that came before the writer ended. Empty
/// if nothing came before the limit.
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

}  // namespace

absl::StatusOr<pid_t> StartInBackground(const BackgroundService& service) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return absl::UnavailableError(
        absl::StrCat("cannot start a service: ", std::strerror(errno)));
  }
  const UniqueFd ready(ends[0]);
  UniqueFd told(ends[1]);
  const ChildPlan plan = MakeChildPlan(service, told.get());
  const pid_t child = fork();
  if (child == 0) BecomeGuard(plan, told.get());
  told.Reset();
  const std::string answer =
      child < 0 ? "" : ReadLine(ready.get(), kSocketLimit);
  pid_t process = 0;
  if (absl::StartsWith(answer, kReadyPrefix)) {
    std::from_chars(answer.data() + sizeof(kReadyPrefix) - 1,
                    answer.data() + answer.size(), process);
    return process;
  }
  if (child > 0) waitpid(child, nullptr, WNOHANG);
  std::string reason = answer.substr(answer.find(' ') + 1);
  while (!reason.empty() && reason.back() == '\n') reason.pop_back();
  if (reason.empty()) {
    reason = absl::StrCat("it did not say why; see ", service.stderr_file);
  }
  return absl::StartsWith(answer, kLockedPrefix)
             ? absl::AbortedError(reason)
             : absl::UnavailableError(reason);
}

}  // namespace vernier
