#ifndef VERNIER_TRIALS_CLIENTS_CLIENT_PROCESS_H_
#define VERNIER_TRIALS_CLIENTS_CLIENT_PROCESS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vernier {

/// The process of a client. The Python package names its clients
/// python/HOST/BOOT/PID_SPACE/PID-START/NUMBER. Each open trial has a client
/// name of its own, with the same process.
struct ClientProcess {
  std::string host;       ///< As uname has it; other characters are '_'.
  std::string boot;       ///< Identifies a start of the machine.
  std::string pid_space;  ///< In another container a number is another process.
  std::int64_t pid = 0;
  std::uint64_t start_ticks = 0;

  friend bool operator==(const ClientProcess&, const ClientProcess&) = default;
};

/// Returns the process that a client's name contains; nullopt for any other
/// name. Pure.
std::optional<ClientProcess> ProcessOfClient(std::string_view client_id);

/// Says whether a process still runs, as far as this machine knows.
enum class ClientPresence {
  kRuns,
  kGone,
  kNotKnown,  ///< It is, or was, somewhere else.
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_CLIENTS_CLIENT_PROCESS_H_
