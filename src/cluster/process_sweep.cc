#include "cluster/process_sweep.h"

#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include <charconv>
#include <cstring>
#include <memory>

#include "cluster/process_identity.h"
#include "cluster/small_file.h"

namespace vernier {
namespace {

constexpr char kVariable[] = "VERNIER_ATTEMPT=";
constexpr std::size_t kNonceDigits = 32;
constexpr std::size_t kMaxEnvironment = 8u << 20;

// The nonce in a process's environment, or "". Processes of other users
// cannot be read; an ended one that nobody has reaped has no environment.
std::string NonceOf(pid_t pid) {
  const absl::StatusOr<std::string> environment = ReadSmallFile(
      "/proc/" + std::to_string(pid) + "/environ", kMaxEnvironment);
  if (!environment.ok()) return "";
  const std::string entry = std::string(1, '\0') + kVariable;
  const std::string all = std::string(1, '\0') + *environment;
  const std::size_t at = all.find(entry);
  if (at == std::string::npos) return "";
  return all.substr(at + entry.size(), kNonceDigits);
}

}  // namespace

std::set<std::string> SweepProcesses(const std::set<std::string>& nonces) {
  std::set<std::string> found;
  const std::unique_ptr<DIR, int (*)(DIR*)> proc(::opendir("/proc"),
                                                 &::closedir);
  if (proc == nullptr) return nonces;  // Nothing is proven.
  while (const dirent* entry = ::readdir(proc.get())) {
    const char* end = entry->d_name + std::strlen(entry->d_name);
    pid_t pid = 0;
    if (std::from_chars(entry->d_name, end, pid).ptr != end) continue;
    if (pid == ::getpid() || nonces.count(NonceOf(pid)) == 0) continue;
    // The pid may have changed hands since: take a handle, then look again.
    const absl::StatusOr<UniqueFd> process = OpenProcess(pid);
    if (!process.ok()) continue;
    const std::string nonce = NonceOf(pid);
    if (nonces.count(nonce) == 0) continue;
    found.insert(nonce);
    SignalProcess(*process, SIGKILL).IgnoreError();
  }
  return found;
}

}  // namespace vernier
