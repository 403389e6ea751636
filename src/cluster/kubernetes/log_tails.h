#ifndef VERNIER_CLUSTER_KUBERNETES_LOG_TAILS_H_
#define VERNIER_CLUSTER_KUBERNETES_LOG_TAILS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/clock.h"
#include "cluster/kubernetes/kubernetes_api.h"
#include "cluster/kubernetes/kubernetes_settings.h"
#include "cluster/kubernetes/observed_objects.h"
#include "cluster/kubernetes/pod_log.h"

namespace vernier {

/// Copies the logs of pods into the attempts' folders while they grow. Not
/// thread-safe: the thread of KubernetesJobs owns it.
class LogTails {
 public:
  /// Borrows both references. `log_cap_bytes` is the limit for each replica's
  /// log.
  LogTails(KubernetesApi& api, const KubernetesSettings& settings,
           std::int64_t log_cap_bytes)
      : api_(api), settings_(settings), log_cap_bytes_(log_cap_bytes) {}

  /// Does what is due for the log of one pod, which is the `replica` of the
  /// attempt in `attempt_dir`. Call it for each pod in turn. Returns whether
  /// all of the log was copied, or no more of it can be read.
  bool Turn(const std::string& name_space, const ObservedPod& pod,
            const std::string& attempt_dir, ReplicaId replica, SteadyTime now,
            SteadyTime* next);

  /// Returns why the pod's log could not be read at the last try; or empty.
  std::string TroubleOf(const std::string& uid) const;

  /// Stops copying the pod's log and forgets it.
  void Drop(const std::string& uid);

 private:
  struct Tail {
    std::optional<PodLog> log;
    std::optional<KubernetesApi::StreamId> stream;
    bool opened_after_end = false;
    bool is_done = false;
    std::string trouble;
    SteadyTime next_try{};
    std::optional<SteadyTime> over_since;
  };

  void Read(Tail& tail, const ObservedPod& pod, SteadyTime now);
  void Close(Tail& tail);

  KubernetesApi& api_;
  const KubernetesSettings& settings_;
  const std::int64_t log_cap_bytes_;
  std::map<std::string, Tail> tails_;  // By the pod's uid.
  int streams_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_KUBERNETES_LOG_TAILS_H_
