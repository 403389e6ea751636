#include "cluster/containers/monitor_sweep.h"

#include <dirent.h>
#include <signal.h>
#include <sys/types.h>

#include <charconv>
#include <cstddef>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/folder_stream.h"
#include "base/small_file.h"
#include "base/unique_fd.h"
#include "cluster/process/process_identity.h"

namespace vernier {
namespace {

constexpr std::size_t kNonceDigits = 32;
constexpr std::string_view kNamePrefix = "vernier-";

// Returns the container that a process monitors, with an empty nonce if the
// process is not one of our monitors; nullopt if that is unknown now.
std::optional<ContainerMonitor> MonitorOf(const std::string& process) {
  const absl::StatusOr<std::string> line =
      ReadSmallFile("/proc/" + process + "/cmdline");
  const absl::Status& status = line.status();
  ContainerMonitor monitor;
  if (absl::IsNotFound(status) || absl::IsPermissionDenied(status) ||
      absl::IsOutOfRange(status)) {
    return monitor;
  }
  if (!status.ok()) return std::nullopt;
  const std::vector<std::string> words = absl::StrSplit(*line, '\0');
  if (!absl::EndsWith(words.front(), "conmon")) return monitor;
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    const std::string& value = words[i + 1];
    if (words[i] == "-c") monitor.container = value;
    if (words[i] == "-r") monitor.runtime = value;
    if (words[i] == "-n" && value.rfind(kNamePrefix, 0) == 0) {
      monitor.nonce = value.substr(kNamePrefix.size(), kNonceDigits);
    }
  }
  return monitor;
}

// Kills a monitor's children. Pids are reused, so the handle is taken first and
// the list of children is read again afterwards.
void KillChildren(const std::string& monitor, bool& has_children) {
  const std::string children =
      absl::StrCat("/proc/", monitor, "/task/", monitor, "/children");
  const auto text = ReadSmallFile(children);
  if (!text.ok()) return;
  std::istringstream words(*text);
  for (pid_t pid = 0; words >> pid;) {
    const absl::StatusOr<UniqueFd> child = OpenProcess(pid);
    const auto again = ReadSmallFile(children);
    if (!child.ok() || !again.ok()) continue;
    std::istringstream present(*again);
    for (pid_t other = 0; present >> other;) {
      if (other != pid) continue;
      has_children = true;
      SignalProcess(*child, SIGKILL).IgnoreError();
    }
  }
}

}  // namespace

MonitorSweep SweepMonitors(const std::set<std::string>& nonces) {
  MonitorSweep sweep;
  if (nonces.empty()) return sweep;
  const FolderStream proc(::opendir("/proc"));
  sweep.is_complete = proc != nullptr;
  while (const dirent* entry = proc ? ::readdir(proc.get()) : nullptr) {
    const std::string name = entry->d_name;
    pid_t pid = 0;
    const char* end = name.data() + name.size();
    if (std::from_chars(name.data(), end, pid).ptr != end) continue;
    const std::optional<ContainerMonitor> before = MonitorOf(name);
    sweep.is_complete &= before.has_value();
    if (!before || nonces.count(before->nonce) == 0) continue;
    const absl::StatusOr<UniqueFd> process = OpenProcess(pid);
    if (absl::IsNotFound(process.status())) continue;
    const std::optional<ContainerMonitor> monitor = MonitorOf(name);
    sweep.is_complete &= process.ok() && monitor.has_value();
    if (!process.ok() || !monitor || nonces.count(monitor->nonce) == 0) {
      continue;
    }
    sweep.monitors.push_back(*monitor);
    // With its children killed, the monitor ends by itself and reports the end
    // to the engine. A monitor without children would only wait, so it is
    // killed.
    bool has_children = false;
    KillChildren(name, has_children);
    if (!has_children) SignalProcess(*process, SIGKILL).IgnoreError();
  }
  return sweep;
}

}  // namespace vernier
