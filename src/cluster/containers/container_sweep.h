#ifndef VERNIER_CLUSTER_CONTAINERS_CONTAINER_SWEEP_H_
#define VERNIER_CLUSTER_CONTAINERS_CONTAINER_SWEEP_H_

#include <map>
#include <optional>
#include <string>

#include "cluster/process/process_gang.h"

namespace vernier {

/// Whether the attempt in this folder may have left containers.
bool MayHaveContainers(const std::string& attempt_dir);

/// Removes the containers of attempts whose supervisor was killed. Nothing
/// here waits: an engine takes some tenths of a second. Not thread-safe.
class ContainerSweep {
 public:
  enum class Progress {
    kUnderWay,  ///< Ask again.
    kDone,      ///< There are none, or none any more.
    kGivenUp,   ///< The engine failed again and again.
  };

  /// Begins or continues the removal for one attempt. `environment` is
  /// EngineEnvironment's. The answer after kUnderWay is given once.
  Progress Continue(const std::string& attempt_dir,
                    const Environment& environment);

 private:
  struct Removal {
    std::optional<ProcessGang> process;
    int failures = 0;
  };
  std::map<std::string, Removal> removals_;  // By the attempt's folder.
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CONTAINERS_CONTAINER_SWEEP_H_
