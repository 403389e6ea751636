#include "cluster/process/client_presence.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "base/small_file.h"
#include "cluster/process/process_identity.h"

namespace vernier {
namespace {

// Returns the host's name as the Python package writes it.
std::string HostName() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "";
  std::string host(name.data());
  std::replace_if(
      host.begin(), host.end(),
      [](unsigned char c) {
        return std::isalnum(c) == 0 && c != '_' && c != '.' && c != '-';
      },
      '_');
  return host;
}

// Returns the digits of "pid:[4026531836]", which identify the pid namespace.
std::string PidSpace() {
  std::error_code error;
  const std::string link =
      std::filesystem::read_symlink("/proc/self/ns/pid", error);
  std::string digits;
  for (const char c : link) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) digits += c;
  }
  return digits;
}

// Returns whether the process has ended but its parent has not reaped it.
bool IsZombie(std::int64_t pid) {
  const auto stat = ReadSmallFile(absl::StrCat("/proc/", pid, "/stat"));
  if (!stat.ok()) return false;
  const std::size_t name_end = stat->rfind(')');
  return name_end != std::string::npos &&
         stat->substr(name_end).substr(0, 3) == ") Z";
}

}  // namespace

ClientPresence PresenceOnThisMachine(const ClientProcess& client) {
  const absl::StatusOr<std::string> boot = ReadBootId();
  if (!boot.ok() || client.host != HostName()) return ClientPresence::kNotKnown;
  // The machine has been restarted since.
  if (client.boot != *boot) return ClientPresence::kGone;
  if (client.pid_space != PidSpace()) return ClientPresence::kNotKnown;
  const auto ticks = ReadStartTicks(static_cast<pid_t>(client.pid));
  const bool is_here = ticks.ok() && *ticks == client.start_ticks;
  return is_here && !IsZombie(client.pid) ? ClientPresence::kRuns
                                          : ClientPresence::kGone;
}

}  // namespace vernier
