#ifndef VERNIER_CLUSTER_PROCESS_PORT_RESERVATION_H_
#define VERNIER_CLUSTER_PROCESS_PORT_RESERVATION_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"

namespace vernier {

/// A range of ports, and the file that locks them.
struct PortRange {
  /// The lock file: byte N stands for port N. All services of this user on the
  /// machine share it. No other user may open it, since any process that can
  /// open it can lock every port.
  std::string lock_file;
  int first = 20000;  ///< 1024 .. 65535.
  int last = 31999;   ///< >= first.
};

/// 20000-31999, or the range below the machine's ephemeral ports if those begin
/// lower, because any outgoing connection could take a port in the ephemeral
/// range. The lock file is in this user's FindPrivateFolder, or is named by
/// VERNIER_PORT_FILE in the environment.
PortRange DefaultPortRange();

/// Reserves TCP ports for a gang; no other gang of this user gets them until
/// this object is destroyed, so a program may bind its port late. The kernel
/// holds the locks, so the reservation ends with the process at the latest.
/// Another user's gang may get a port that is not bound yet; this is rare,
/// because gangs begin their search at random places.
class PortReservation {
 public:
  /// Reserves a port for each of `replicas` (>= 1), and the port right above
  /// the first. Every one is free on all interfaces now. `seed` determines
  /// where in the range the search begins.
  ///
  /// RESOURCE_EXHAUSTED if the range has too few free ports; otherwise the
  /// errno's code if the lock file cannot be used.
  static absl::StatusOr<PortReservation> Reserve(const PortRange& range,
                                                 std::size_t replicas,
                                                 std::uint64_t seed);

  /// Returns the port of each replica.
  const std::vector<int>& ports() const { return ports_; }
  /// Returns the extra port, ports()[0] + 1.
  int master_port() const { return ports_.front() + 1; }

 private:
  PortReservation() = default;

  std::vector<int> ports_;
  UniqueFd lock_;  // Open file description that owns the bytes' locks.
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_PROCESS_PORT_RESERVATION_H_
