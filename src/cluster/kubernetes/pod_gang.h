#ifndef VERNIER_CLUSTER_KUBERNETES_POD_GANG_H_
#define VERNIER_CLUSTER_KUBERNETES_POD_GANG_H_

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cluster/kubernetes/kubernetes_settings.h"
#include "cluster/local/launch_file.h"
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
  /// Environment of each replica, without that of PodGang::secrets.
  std::vector<Environment> environments;
};

/// All that Kubernetes is told about one attempt, whatever the objects.
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
  /// As long as a pod may run, so that it ends if the service does not come
  /// back. Unset: no limit.
  std::optional<std::chrono::seconds> deadline;
  std::chrono::seconds time_to_live{0};
  std::string data_claim;  ///< As in KubernetesSettings.
  std::string data_dir;    ///< Likewise.
  /// With a data claim: who may use the data directory. Unset: the image says.
  std::optional<unsigned> user;
  std::optional<unsigned> group;
};

/// Whose attempt is made into a gang, and where.
struct GangIdentity {
  std::string attempt_dir;
  std::string instance;
  std::string name_space;  ///< Of jobs that name none.
};

/// The gang of the attempt that `launch` describes; `spec` is its job.
/// `service_environment` is as in environ(7).
///
/// INVALID_ARGUMENT for what cannot run on this cluster: no image, TPUs, and
/// what needs the service's disk where the pods do not see it.
absl::StatusOr<PodGang> PlanPodGang(const LaunchFile& launch,
                                    const JobSpec& spec,
                                    const KubernetesSettings& settings,
                                    const GangIdentity& identity,
                                    const char* const* service_environment);

/// The environment of a role's replicas in one text for all of them: where
/// those of `environments` differ, it has `index` and `rank` in the place of
/// the replica's index and of one more. INTERNAL if they differ otherwise.
absl::StatusOr<Environment> CommonEnvironment(
    const std::vector<Environment>& environments, const std::string& index,
    const std::string& rank);

/// A text as Kubernetes takes it where it would expand $(NAME). Pure.
std::string EscapeDollar(const std::string& text);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_KUBERNETES_POD_GANG_H_
