#ifndef VERNIER_CLUSTER_SLURM_SLURM_LAUNCHER_H_
#define VERNIER_CLUSTER_SLURM_SLURM_LAUNCHER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "cluster/attempt/launch_preparation.h"
#include "cluster/slurm/slurm_client.h"
#include "cluster/slurm/slurm_settings.h"
#include "trials/jobs/launcher.h"

namespace vernier {

struct SlurmLauncherOptions {
  SlurmSettings settings;
  /// Distinguishes this service's jobs from those of others: 8 hex digits.
  std::string instance;
  ResolveResources resolve;
  std::int64_t log_cap_bytes = 64 << 20;  ///< Per replica; >= 64 KiB.
  /// Called from another thread when something may have changed; may be null.
  std::function<void()> on_change;
  /// Receives one line for the service's log, from another thread; may be null.
  std::function<void(const std::string&)> log;

  /// A check of whether the nodes see `data_dir` and reach `url`, which may be
  /// empty.
  struct Probe {
    std::string data_dir;
    std::string url;
    std::unique_ptr<SlurmClient> client;
  };
  /// If set, the check starts at once, and Launch is UNAVAILABLE while the
  /// nodes cannot run jobs.
  std::optional<Probe> probe;
};

/// Returns a launcher that runs attempts as jobs of a Slurm cluster: one job
/// per attempt, with one step per role. Attempts' folders must be on a file
/// system that the nodes share, at the same path. docs/cluster-protocols.md
/// describes the protocol. `client` makes the calls to Slurm. `clock` must
/// outlive the launcher. Errors: INVALID_ARGUMENT; or an errno's code.
absl::StatusOr<std::unique_ptr<Launcher>> MakeSlurmLauncher(
    SlurmLauncherOptions options, std::unique_ptr<SlurmClient> client,
    const Clock& clock);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_SLURM_LAUNCHER_H_
