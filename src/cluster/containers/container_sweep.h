#ifndef VERNIER_CLUSTER_CONTAINERS_CONTAINER_SWEEP_H_
#define VERNIER_CLUSTER_CONTAINERS_CONTAINER_SWEEP_H_

#include <map>
#include <optional>
#include <string>

#include "cluster/containers/monitor_sweep.h"
#include "cluster/process/process_gang.h"

namespace vernier {

/// Returns whether the attempt in this folder may have left containers behind.
bool MayHaveContainers(const std::string& attempt_dir);

/// Removes the containers of attempts whose supervisor was killed. No call
/// blocks, since an engine takes some tenths of a second. Not thread-safe.
class ContainerSweep {
 public:
  enum class Progress {
    kUnderWay,  ///< Ask again.
    kDone,      ///< There are none, or none any more.
    kGivenUp,   ///< The engine failed again and again.
  };

  /// Has the runtime of a killed monitor remove its container, too, before the
  /// engine does; the engine itself may not know the container.
  void NoteMonitor(const ContainerMonitor& monitor);

  /// Starts or continues the removal for the attempt `nonce`, whose monitors
  /// have ended. `environment` is EngineEnvironment's. A result other than
  /// kUnderWay is returned once.
  Progress Continue(const std::string& nonce, const std::string& attempt_dir,
                    const Environment& environment);

 private:
  struct Removal {
    std::optional<ProcessGang> process;
    bool is_of_runtime = false;  ///< What the process is.
    int failures = 0;
    /// By container id, the monitors whose runtimes are still to be asked.
    std::map<std::string, ContainerMonitor> monitors;
  };

  std::map<std::string, Removal> removals_;  // By nonce.
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CONTAINERS_CONTAINER_SWEEP_H_
