#ifndef VERNIER_CLUSTER_KUBERNETES_POD_GANG_H_
#define VERNIER_CLUSTER_KUBERNETES_POD_GANG_H_

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cluster/attempt/launch_file.h"
#include "cluster/kubernetes/kubernetes_settings.h"
#include "cluster/replica.h"
#include "cluster/trial_environment.h"
#include "study/job_spec.h"

namespace vernier {

/// The replicas of one role, as pods.
struct PodRole {
  ReplicaRole role = ReplicaRole::kMaster;
  std::string image;
  std::vector<std::string> command;    ///< Empty: the image's entry point.
  std::vector<std::string> arguments;  ///< Empty: the image's, if no command.
  std::string work_dir;                ///< Empty: the image's.
  int gpus = 0;
  std::map<std::string, std::string> node_selector;
  /// The environment of each replica, without the variables in
  /// PodGang::secrets.
  std::vector<Environment> environments;
};

/// The description of one attempt for Kubernetes, independent of the kind of
/// objects.
struct PodGang {
  std::string name;  ///< GangName's.
  std::string name_space;
  std::string instance;
  std::string nonce;
  std::string job;
  std::string trial;
  std::vector<PodRole> roles;  ///< The master's first.
  Environment secrets;         ///< Of every replica.
  KubernetesOptions options;   ///< With the service's defaults.
  std::chrono::seconds kill_grace{0};
  /// The time for which a pod may run, so that it ends even if the service does
  /// not come back. Unset: no limit.
  std::optional<std::chrono::seconds> deadline;
  std::chrono::seconds time_to_live{0};
  std::string data_claim;  ///< As in KubernetesSettings.
  std::string data_dir;    ///< Likewise.
  /// With a data claim: the user and group that may use the data directory.
  /// Unset: the image's own.
  std::optional<unsigned> user;
  std::optional<unsigned> group;
};

/// Identifies the attempt that becomes a gang, and the instance it belongs to.
struct GangIdentity {
  std::string attempt_dir;
  std::string instance;
  std::string name_space;  ///< Of jobs that name none.
};

/// Plans the gang of the attempt that `launch` describes; `spec` is its job.
/// `service_environment` is as in environ(7).
///
/// INVALID_ARGUMENT for what cannot run on this cluster: no image, TPUs, and
/// anything that needs the service's disk if the pods do not see it.
absl::StatusOr<PodGang> PlanPodGang(const LaunchFile& launch,
                                    const JobSpec& spec,
                                    const KubernetesSettings& settings,
                                    const GangIdentity& identity,
                                    const char* const* service_environment);

/// Returns one environment for all replicas of a role. Where the values in
/// `environments` differ, it has `index` in the place of the replica's index,
/// or `rank` in the place of the index plus one. INTERNAL if they differ
/// otherwise.
absl::StatusOr<Environment> CommonEnvironment(
    const std::vector<Environment>& environments, const std::string& index,
    const std::string& rank);

/// Escapes a text for places where Kubernetes would expand $(NAME). Pure.
std::string EscapeDollar(const std::string& text);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_KUBERNETES_POD_GANG_H_
