#ifndef VERNIER_TRIALS_CLIENTS_CLIENT_PROCESS_H_
#define VERNIER_TRIALS_CLIENTS_CLIENT_PROCESS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vernier {

/// The process that a client is. The Python package calls its clients
/// python/HOST/BOOT/PID_SPACE/PID-START/NUMBER: a name for each open trial, and
/// the same process for all of them.
struct ClientProcess {
  std::string host;       ///< As uname has it; other characters are '_'.
  std::string boot;       ///< Which start of the machine.
  std::string pid_space;  ///< In another container a number is another process.
  std::int64_t pid = 0;
  std::uint64_t start_ticks = 0;

  friend bool operator==(const ClientProcess&, const ClientProcess&) = default;
};

/// The process that a client's name tells; nullopt for any other name. Pure.
std::optional<ClientProcess> ProcessOfClient(std::string_view client_id);

/// Whether a process still runs, as far as this machine can tell.
enum class ClientPresence {
  kRuns,
  kGone,
  kNotKnown,  ///< It is, or was, somewhere else.
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_CLIENTS_CLIENT_PROCESS_H_
