#ifndef VERNIER_CLUSTER_KUBERNETES_KUBERNETES_LAUNCHER_H_
#define VERNIER_CLUSTER_KUBERNETES_KUBERNETES_LAUNCHER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "cluster/attempt/launch_preparation.h"
#include "cluster/kubernetes/kubernetes_api.h"
#include "cluster/kubernetes/kubernetes_settings.h"
#include "trials/jobs/launcher.h"

namespace vernier {

struct KubernetesLauncherOptions {
  KubernetesSettings settings;
  std::string instance;    ///< 8 hex digits, the same forever.
  std::string name_space;  ///< Where objects of jobs that name none are.
  ResolveResources resolve;
  std::int64_t log_cap_bytes = std::int64_t{64} << 20;  ///< Per replica.
  /// Called from another thread when Observe may have news; may be null.
  std::function<void()> on_change;
  /// Receives one line for the service's log, from another thread; may be null.
  std::function<void(const std::string&)> log;
};

/// Returns a launcher that runs each attempt as one JobSet of a Kubernetes
/// cluster, or as Jobs where the cluster has no JobSets. Each decision about an
/// attempt is on disk before the API server is called, and an attempt's objects
/// have a name that no other attempt uses. `api` is the connection to the API
/// server. `clock` must outlive the launcher. Errors: INVALID_ARGUMENT; or an
/// errno's code.
absl::StatusOr<std::unique_ptr<Launcher>> MakeKubernetesLauncher(
    KubernetesLauncherOptions options, std::unique_ptr<KubernetesApi> api,
    const Clock& clock);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_KUBERNETES_KUBERNETES_LAUNCHER_H_
