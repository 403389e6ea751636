#ifndef VERNIER_CLUSTER_KUBERNETES_KUBERNETES_SETTINGS_H_
#define VERNIER_CLUSTER_KUBERNETES_KUBERNETES_SETTINGS_H_

#include <chrono>
#include <map>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "study/engines/kubernetes_options.h"

namespace vernier {

/// The kind of object that represents an attempt.
enum class GangKind {
  kJobSet = 1,  ///< One JobSet.
  kJobs = 2,    ///< A Job for each replica, and a headless Service.
};

/// A service's settings for its Kubernetes cluster.
struct KubernetesSettings {
  /// Defaults for jobs that set none: namespace, queue, service account and the
  /// like.
  KubernetesOptions defaults;
  /// The path of a kubeconfig. If empty, $KUBECONFIG is used, else the service
  /// account of the pod that the service runs in, else ~/.kube/config.
  std::string config;
  std::string context;  ///< Of the kubeconfig; empty: its current one.
  std::string image;    ///< Of replicas whose job names none; empty: refused.
  /// A PersistentVolumeClaim that holds the data directory, which all pods then
  /// mount at the same path. If empty, pods do not see it.
  std::string data_claim;
  std::string data_dir;  ///< Absolute; of the service.
  /// "auto" (JobSets if the cluster has them), "jobset" or "jobs".
  std::string objects = "auto";
  /// By accelerator type: the key and value of the label of the nodes that have
  /// it.
  std::map<std::string, std::pair<std::string, std::string>> gpu_nodes;

  /// The time limit for one call to the API server. > 0.
  std::chrono::milliseconds request_limit{15000};
  /// The time between tries of a call that failed. > 0.
  std::chrono::milliseconds retry_period{2000};
  /// An object that two listings, this far apart, do not have is gone. > 0.
  std::chrono::milliseconds settle_time{5000};
  /// The server ends a watch after this time, and it is opened again. >= 1 s.
  std::chrono::milliseconds watch_time{300000};
  /// If an image cannot be pulled for this long, the attempt ends. >= 0.
  std::chrono::milliseconds image_patience{120000};
  /// The time to wait for the rest of a pod's log after its end. >= 0.
  std::chrono::milliseconds log_patience{10000};
  /// A pod that should have ended this long ago counts as lost with its node.
  /// >= 0.
  std::chrono::milliseconds node_patience{60000};
  /// Foreign objects, which belong to no attempt, are deleted after this time.
  /// >= 0.
  std::chrono::milliseconds stranger_patience{60000};
  /// The time for which the name of a revoked attempt stays taken; longer than
  /// the API server works on a request. > 0.
  std::chrono::milliseconds tombstone_life{300000};
  /// The time for which Kubernetes keeps the objects of an ended attempt, in
  /// case the service does not come back. >= 60 s.
  std::chrono::seconds time_to_live{7 * 24 * 3600};
};

/// Returns INVALID_ARGUMENT with the setting, its value and its range.
absl::Status Validate(const KubernetesSettings& settings);

/// Returns a job's options, with the service's defaults for those it does not
/// set.
KubernetesOptions WithDefaults(const KubernetesOptions& options,
                               const KubernetesOptions& defaults);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_KUBERNETES_KUBERNETES_SETTINGS_H_
