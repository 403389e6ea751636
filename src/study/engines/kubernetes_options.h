#ifndef VERNIER_STUDY_ENGINES_KUBERNETES_OPTIONS_H_
#define VERNIER_STUDY_ENGINES_KUBERNETES_OPTIONS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace vernier {

/// A job's settings for a Kubernetes cluster: vernier.kubernetes, or the
/// service's own defaults. The cluster decides the settings that are empty or
/// unset.
struct KubernetesOptions {
  /// A volume that every replica mounts.
  struct Volume {
    std::string claim;       ///< A PersistentVolumeClaim of the namespace.
    std::string mount_path;  ///< Absolute.
    std::string sub_path;    ///< Of the claim; empty: all of it.
    bool is_read_only = false;

    friend bool operator==(const Volume&, const Volume&) = default;
  };

  std::string name_space;  ///< Empty: the service's.
  /// Kueue's queue: the label kueue.x-k8s.io/queue-name of the job.
  std::string queue;
  std::string scheduler;  ///< spec.schedulerName of the pods, e.g. "volcano".
  std::string service_account;  ///< Of the pods.
  std::string priority_class;
  /// Further labels and annotations of the job and its pods.
  std::map<std::string, std::string> labels;
  std::map<std::string, std::string> annotations;
  std::map<std::string, std::string> node_selector;
  /// In kubectl's form: "KEY=VALUE:EFFECT", "KEY:EFFECT" or "KEY".
  std::vector<std::string> tolerations;
  std::vector<std::string> image_pull_secrets;
  std::string cpus_per_replica;           ///< A quantity such as "500m" or "4".
  std::optional<std::int64_t> memory_mb;  ///< Of each replica; >= 1.
  std::optional<std::int64_t> shm_mb;     ///< Of /dev/shm; >= 1.
  std::string gpu_resource;               ///< Empty: "nvidia.com/gpu".
  std::vector<Volume> volumes;

  friend bool operator==(const KubernetesOptions&,
                         const KubernetesOptions&) = default;
};

}  // namespace vernier

#endif  // VERNIER_STUDY_ENGINES_KUBERNETES_OPTIONS_H_
