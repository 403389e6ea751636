#include "cluster/process/process_sweep.h"

#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include <charconv>
#include <cstring>
#include <memory>
#include <optional>

#include "base/folder_stream.h"
#include "base/small_file.h"
#include "cluster/process/process_identity.h"

namespace vernier {
namespace {

constexpr char kVariable[] = "VERNIER_ATTEMPT=";
constexpr std::size_t kNonceDigits = 32;
constexpr std::size_t kMaxEnvironment = 8u << 20;

// Returns the nonce in a process's environment, or "" if it has none; nullopt
// if that is unknown now. Processes of other users cannot be read, and belong
// to no attempt; a zombie has no environment.
std::optional<std::string> NonceOf(pid_t pid) {
  const absl::StatusOr<std::string> environment = ReadSmallFile(
      "/proc/" + std::to_string(pid) + "/environ", kMaxEnvironment);
  const absl::Status& status = environment.status();
  if (absl::IsNotFound(status) || absl::IsPermissionDenied(status) ||
      absl::IsOutOfRange(status)) {
    return "";
  }
  if (!status.ok()) return std::nullopt;
  const std::string entry = std::string(1, '\0') + kVariable;
  const std::string all = std::string(1, '\0') + *environment;
  const std::size_t at = all.find(entry);
  if (at == std::string::npos) return "";
  return all.substr(at + entry.size(), kNonceDigits);
}

}  // namespace

std::set<std::string> SweepProcesses(const std::set<std::string>& nonces) {
  std::set<std::string> found;
  const FolderStream proc(::opendir("/proc"));
  if (proc == nullptr) return nonces;  // Nothing is proven.
  while (const dirent* entry = ::readdir(proc.get())) {
    const char* end = entry->d_name + std::strlen(entry->d_name);
    pid_t pid = 0;
    if (std::from_chars(entry->d_name, end, pid).ptr != end) continue;
    if (pid == ::getpid()) continue;
    const std::optional<std::string> before = NonceOf(pid);
    if (!before) return nonces;  // Likewise.
    if (nonces.count(*before) == 0) continue;
    // The pid may have been reused, so the environment is read again once there
    // is a handle.
    const absl::StatusOr<UniqueFd> process = OpenProcess(pid);
    if (absl::IsNotFound(process.status())) continue;
    const std::optional<std::string> nonce = NonceOf(pid);
    if (!process.ok() || !nonce) return nonces;
    if (nonces.count(*nonce) == 0) continue;
    found.insert(*nonce);
    SignalProcess(*process, SIGKILL).IgnoreError();
  }
  return found;
}

}  // namespace vernier
