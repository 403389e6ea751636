#ifndef VERNIER_CLUSTER_KUBERNETES_KUBERNETES_SETTINGS_H_
#define VERNIER_CLUSTER_KUBERNETES_KUBERNETES_SETTINGS_H_

#include <chrono>
#include <map>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "study/engines/kubernetes_options.h"

namespace vernier {

/// Which kind of object an attempt becomes.
enum class GangKind {
  kJobSet = 1,  ///< One JobSet.
  kJobs = 2,    ///< A Job for each replica, and a headless Service.
};

/// How a service uses its Kubernetes cluster.
struct KubernetesSettings {
  /// For jobs that name none: namespace, queue, service account and the like.
  KubernetesOptions defaults;
  /// Path of a kubeconfig. Empty: $KUBECONFIG, else the service account of the
  /// pod that the service runs in, else ~/.kube/config.
  std::string config;
  std::string context;  ///< Of the kubeconfig; empty: its current one.
  std::string image;    ///< Of replicas whose job names none; empty: refused.
  /// A PersistentVolumeClaim that holds the data directory, which all pods then
  /// mount at the same path; empty: they do not see it.
  std::string data_claim;
  std::string data_dir;  ///< Absolute; of the service.
  /// "auto" (JobSets where the cluster has them), "jobset" or "jobs".
  std::string objects = "auto";
  /// The label of the nodes that have an accelerator of this type, key and
  /// value.
  std::map<std::string, std::pair<std::string, std::string>> gpu_nodes;

  /// One call to the API server may take this long. > 0.
  std::chrono::milliseconds request_limit{15000};
  /// Between tries of a call that failed. > 0.
  std::chrono::milliseconds retry_period{2000};
  /// An object that is missing from two listings this far apart is gone. > 0.
  std::chrono::milliseconds settle_time{5000};
  /// The server ends a watch after this time, and it begins anew. >= 1 s.
  std::chrono::milliseconds watch_time{300000};
  /// An image that could not be had for so long ends the attempt. >= 0.
  std::chrono::milliseconds image_patience{120000};
  /// How long the rest of a pod's log is waited for after its end. >= 0.
  std::chrono::milliseconds log_patience{10000};
  /// A pod that should have ended this long ago was lost with its node. >= 0.
  std::chrono::milliseconds node_patience{60000};
  /// Objects that belong to no attempt are deleted after this time. >= 0.
  std::chrono::milliseconds stranger_patience{60000};
  /// How long the name of a revoked attempt stays taken: longer than the API
  /// server works on a request. > 0.
  std::chrono::milliseconds tombstone_life{300000};
  /// How long Kubernetes keeps the objects of an attempt that has ended, in
  /// case that the service does not come back. >= 60 s.
  std::chrono::seconds time_to_live{7 * 24 * 3600};
};

/// INVALID_ARGUMENT naming the setting, its value and its range.
absl::Status Validate(const KubernetesSettings& settings);

/// What a job asks of the cluster, with the service's defaults for what it
/// leaves out.
KubernetesOptions WithDefaults(const KubernetesOptions& options,
                               const KubernetesOptions& defaults);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_KUBERNETES_KUBERNETES_SETTINGS_H_
