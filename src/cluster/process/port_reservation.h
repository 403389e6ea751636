#ifndef VERNIER_CLUSTER_PROCESS_PORT_RESERVATION_H_
#define VERNIER_CLUSTER_PROCESS_PORT_RESERVATION_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"

namespace vernier {

/// Where ports are taken from.
struct PortRange {
  /// The lock file: byte N stands for port N. Shared by all services of this
  /// user on the machine, and by nobody else: whoever can open it can lock
  /// every port.
  std::string lock_file;
  int first = 20000;  ///< 1024 .. 65535.
  int last = 31999;   ///< >= first.
};

/// 20000-31999, or what lies below the machine's ephemeral ports if those begin
/// lower: a port in the ephemeral range could be taken by any outgoing
/// connection. The lock file is in this user's FindPrivateFolder, or the one
/// that VERNIER_PORT_FILE in the environment names.
PortRange DefaultPortRange();

/// TCP ports of a gang, kept from other gangs of this machine until this object
/// goes away: a program may bind its port late. The kernel holds the locks, so
/// the reservation ends with the process at the latest. Another user's gang may
/// be given a port that nobody has bound yet; the places where gangs begin to
/// search are drawn by chance, so that this is rare.
class PortReservation {
 public:
  /// Reserves a port for each of `replicas` (>= 1) and one more right above
  /// the first. Every one is free on all interfaces now. `seed` says where in
  /// the range to begin.
  ///
  /// RESOURCE_EXHAUSTED if the range has not enough; else the errno's code if
  /// the lock file cannot be used.
  static absl::StatusOr<PortReservation> Reserve(const PortRange& range,
                                                 std::size_t replicas,
                                                 std::uint64_t seed);

  /// Port of each replica.
  const std::vector<int>& ports() const { return ports_; }
  /// The extra port, ports()[0] + 1.
  int master_port() const { return ports_.front() + 1; }

 private:
  PortReservation() = default;

  std::vector<int> ports_;
  UniqueFd lock_;  // Open file description that owns the bytes' locks.
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_PROCESS_PORT_RESERVATION_H_
