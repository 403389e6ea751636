#include "cluster/process/process_identity.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>

#include "base/small_file.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

constexpr int kStartTimeField = 22;  // Of /proc/PID/stat; proc(5).

}  // namespace

absl::StatusOr<std::string> ReadBootId() {
  VERNIER_ASSIGN_OR_RETURN(std::string id,
                           ReadSmallFile("/proc/sys/kernel/random/boot_id"));
  while (!id.empty() && id.back() == '\n') id.pop_back();
  return id;
}

absl::StatusOr<std::uint64_t> ReadStartTicks(pid_t pid) {
  const std::string path = "/proc/" + std::to_string(pid) + "/stat";
  VERNIER_ASSIGN_OR_RETURN(const std::string stat, ReadSmallFile(path));
  // The second field is the program's name in parentheses and may contain
  // anything, even spaces and parentheses.
  std::size_t at = stat.rfind(')');
  for (int field = 2; at != std::string::npos && field < kStartTimeField;
       ++field) {
    at = stat.find(' ', at + 1);
  }
  std::uint64_t ticks = 0;
  if (at == std::string::npos ||
      std::from_chars(stat.data() + at + 1, stat.data() + stat.size(), ticks)
              .ec != std::errc()) {
    return absl::InternalError("cannot understand " + path);
  }
  return ticks;
}

absl::StatusOr<UniqueFd> OpenProcess(pid_t pid) {
  UniqueFd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (process.is_open()) return process;
  if (errno == ESRCH) return absl::NotFoundError("there is no such process");
  return absl::ErrnoToStatus(errno, "pidfd_open");
}

absl::StatusOr<UniqueFd> OpenProcess(pid_t pid, std::uint64_t start_ticks) {
  VERNIER_ASSIGN_OR_RETURN(UniqueFd process, OpenProcess(pid));
  // The start time is compared after the handle was taken: if it matches, the
  // handle is on the right process, even if the pid is reused later.
  VERNIER_ASSIGN_OR_RETURN(const std::uint64_t ticks, ReadStartTicks(pid));
  if (ticks != start_ticks) {
    return absl::NotFoundError("the pid belongs to another process now");
  }
  return process;
}

absl::Status SignalProcess(const UniqueFd& process, int signal) {
  if (::syscall(SYS_pidfd_send_signal, process.get(), signal, nullptr, 0) ==
          0 ||
      errno == ESRCH) {
    return absl::OkStatus();
  }
  return absl::ErrnoToStatus(errno, "pidfd_send_signal");
}

}  // namespace vernier
