#ifndef VERNIER_CLUSTER_KUBERNETES_GANG_CONCLUSION_H_
#define VERNIER_CLUSTER_KUBERNETES_GANG_CONCLUSION_H_

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "cluster/kubernetes/observed_objects.h"
#include "cluster/local/exit_record.h"
#include "cluster/replica.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// What is known of one gang in a cluster.
struct GangView {
  enum class Stage {
    kWaiting,    ///< Nothing was sent yet; `words` may say why.
    kCreating,   ///< Its primary object may exist; `words` may say more.
    kInCluster,  ///< It does, or did: `primary` and `pods` tell.
    kRefused,    ///< Kubernetes will not have it; `words` are its own.
    kRevoked,    ///< It does not exist, and never will.
  };
  Stage stage = Stage::kWaiting;
  std::string words;
  std::optional<ObservedPrimary> primary;  ///< As it was seen last.
  bool is_gone =
      false;  ///< The primary was, or must have been, and is no more.
  std::vector<ObservedPod> pods;  ///< Also those that are gone.
  bool logs_are_read = true;      ///< Of all pods that are over.
  std::string log_trouble;        ///< Why a log cannot be read; or empty.
  std::string warning;  ///< The newest event of type Warning about the Jobs.
};

/// What is to be concluded from.
struct GangEvidence {
  GangView view;
  std::string name;                 ///< GangName's.
  std::vector<ReplicaId> replicas;  ///< GangReplicas'.
  bool is_killed = false;           ///< The service asked for its end.
  bool gang_ran = false;            ///< All programs ran at one time.
  /// Since when an image could not be had; unset: it is not so.
  std::chrono::milliseconds image_missing_for{0};
  std::chrono::milliseconds image_patience{120000};
  std::chrono::milliseconds node_patience{60000};
  Timestamp now{};  ///< Of the service; compared with due times only.
};

/// What to do about a gang, and what to tell of it.
struct GangConclusion {
  AttemptObservation::Kind kind = AttemptObservation::Kind::kStarting;
  /// kEnded and kLost: everything that may still run must be ended first.
  bool must_end = false;
  /// Its objects must be deleted for that, not only the pods that run.
  bool must_delete = false;
  /// kEnded by a program: which of `replicas`, and how all of them ended.
  std::optional<std::size_t> deciding;
  std::vector<ReplicaEnd> ends;
  bool out_of_memory = false;
  bool launch_failed = false;
  bool stopped_by_request = false;
  EngineEnd engine_end = EngineEnd::kUnknown;
  std::string message;  ///< In Kubernetes' words, unless a program decided.
};

/// Concludes from the evidence. Pure.
///
///   object  | pods                          | conclusion
///   waiting | -                             | starting
///   refused | -                             | a launch that failed
///   revoked | -                             | never started, or stopped
///   there   | not all started               | starting
///   there   | all started                   | running
///   any     | the master's program ended    | ended, as it says
///   any     | another one failed            | ended, as that one says
///   any     | a program could not be started| a launch that failed
///   any     | disrupted, evicted, its node  | lost, for that reason
///           | lost, deleted                 |
///   there   | no image for too long         | lost, for that reason
///   any     | two for one replica           | lost: something runs it again
///   gone    | none that says more           | lost
///   any     | any, after a Kill             | stopped once all is gone
///
/// An end that came after a pod's deletion was asked for is not the program's.
GangConclusion ConcludeGang(const GangEvidence& evidence);

/// Whether a pod waits for an image that cannot be had now.
bool MissesImage(const ObservedPod& pod);

/// What a gang that has not started waits for, as the rest of "Trial 3 is ...",
/// in Kubernetes' words and ours; empty: nothing that is known. Pure.
std::string DescribeGangWait(const GangView& view);

/// How a program ended, by its container's exit code. Pure.
ReplicaEnd EndFromExitCode(int exit_code);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_KUBERNETES_GANG_CONCLUSION_H_
