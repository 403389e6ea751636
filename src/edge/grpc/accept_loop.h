#ifndef VERNIER_EDGE_GRPC_ACCEPT_LOOP_H_
#define VERNIER_EDGE_GRPC_ACCEPT_LOOP_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "base/unique_fd.h"
#include "base/wake_event.h"
#include "edge/grpc/connection_relay.h"
#include "http/connection_table.h"

namespace vernier {

/// A thread that accepts connections for gRPC, whose own acceptor stops for
/// good when descriptors run out (CVE-2023-4785). It keeps some descriptors
/// free for the rest of the service and closes connections beyond the limits.
/// If a guarded connection has no open call, the one that has had none for
/// longest is closed instead. Thread-safe.
class AcceptLoop {
 public:
  enum class Kind {
    kTrusted,  ///< A unix socket, whose permissions are the check.
    kCounted,  ///< Handed over as it is, since it is encrypted.
    kGuarded,  ///< Counted, and relayed past an Http2Guard.
  };
  /// Receives a connected, non-blocking socket.
  using HandOver = std::function<void(UniqueFd)>;
  struct ListeningSocket {
    UniqueFd fd;
    Kind kind = Kind::kGuarded;
    HandOver hand_over;  ///< Called by the loop's thread.
  };
  struct Options {
    ConnectionLimits limits;  ///< Of connections that are counted.
    /// Called by the loop's thread for each connection that a guard has cut
    /// off.
    std::function<void(const absl::Status&)> on_offence;
  };

  AcceptLoop(std::vector<ListeningSocket> listeners, Options options);
  /// Does the same as Stop.
  ~AcceptLoop();
  AcceptLoop(const AcceptLoop&) = delete;
  AcceptLoop& operator=(const AcceptLoop&) = delete;

  /// Stops accepting; after it returns, no connection is handed over any more.
  /// Idempotent.
  void CloseListeners();

  /// Closes the listeners. Ends relayed connections once gRPC has closed them
  /// and clients have read its last bytes, or after a second. Idempotent.
  void Stop();

 private:
  struct Connection {
    std::uint64_t number = 0;  // In the table.
    UniqueFd watched;          // Duplicate of the descriptor handed over.
    std::unique_ptr<ConnectionRelay> relay;
  };

  void Work();
  void Turn(int timeout_ms);
  void AcceptAll(ListeningSocket& listener);
  void Admit(ListeningSocket& listener, UniqueFd fd,
             const std::string& address);
  bool Begin(ListeningSocket& listener, UniqueFd fd, std::uint64_t id,
             Connection* connection);
  void RefuseWithSpare(int listener_fd);
  void Run(std::uint64_t id);
  void Remove(std::uint64_t id);
  bool Watch(int fd, std::uint32_t events, std::uint64_t id);
  bool IsRelaying() const;

  const Options options_;
  UniqueFd epoll_;
  const WakeEvent wake_;
  std::atomic<bool> closing_{false};
  std::atomic<bool> stopping_{false};
  std::latch listeners_closed_{1};
  // Everything below belongs to the thread.
  std::vector<ListeningSocket> listeners_;
  UniqueFd spare_;
  ConnectionTable table_;
  std::uint64_t next_id_;
  std::unordered_map<std::uint64_t, Connection> connections_;
  std::vector<std::uint64_t> busy_;  // Relays that need not wait for an event.
  std::thread thread_;
};

}  // namespace vernier

#endif  // VERNIER_EDGE_GRPC_ACCEPT_LOOP_H_
