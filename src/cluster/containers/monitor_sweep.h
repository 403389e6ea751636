#ifndef VERNIER_CLUSTER_CONTAINERS_MONITOR_SWEEP_H_
#define VERNIER_CLUSTER_CONTAINERS_MONITOR_SWEEP_H_

#include <set>
#include <string>
#include <vector>

namespace vernier {

/// The monitor (conmon) of one container.
struct ContainerMonitor {
  std::string nonce;      ///< Of the container's attempt.
  std::string runtime;    ///< Absolute path, of runc or crun.
  std::string container;  ///< Its id.
};

/// The result of SweepMonitors.
struct MonitorSweep {
  std::vector<ContainerMonitor> monitors;
  bool is_complete = true;  ///< False: some process could not be read now.
};

/// Ends the monitors of the containers of `nonces`, with the processes that
/// they have started, and returns those it found. A monitor that was found may
/// still be ending; only a nonce that a later sweep does not find has none
/// left. Needed because Podman forgets a container whose start was interrupted,
/// while the monitor waits forever for a program that never runs; no such
/// process has the attempt's nonce in its environment.
///
/// Cost: one pass over /proc, whatever the number of nonces.
MonitorSweep SweepMonitors(const std::set<std::string>& nonces);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CONTAINERS_MONITOR_SWEEP_H_
