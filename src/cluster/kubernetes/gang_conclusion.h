#ifndef VERNIER_CLUSTER_KUBERNETES_GANG_CONCLUSION_H_
#define VERNIER_CLUSTER_KUBERNETES_GANG_CONCLUSION_H_

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "cluster/attempt/exit_record.h"
#include "cluster/kubernetes/observed_objects.h"
#include "cluster/replica.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// The state of one gang in a cluster, as it is known now.
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

/// The evidence for a conclusion about a gang.
struct GangEvidence {
  GangView view;
  std::string name;                 ///< GangName's.
  std::vector<ReplicaId> replicas;  ///< GangReplicas'.
  bool is_killed = false;           ///< The service asked for its end.
  bool gang_ran = false;            ///< All programs ran at one time.
  /// For how long an image could not be pulled; 0 if there is no such trouble.
  std::chrono::milliseconds image_missing_for{0};
  std::chrono::milliseconds image_patience{120000};
  std::chrono::milliseconds node_patience{60000};
  Timestamp now{};  ///< Of the service; compared with due times only.
};

/// The decision about a gang, and what to report of it.
struct GangConclusion {
  AttemptObservation::Kind kind = AttemptObservation::Kind::kStarting;
  /// For kEnded and kLost: everything that may still run must be ended first.
  bool must_end = false;
  /// To end it, its objects must be deleted, not only the running pods.
  bool must_delete = false;
  /// For kEnded by a program: which of `replicas` decided, and how each ended.
  std::optional<std::size_t> deciding;
  std::vector<ReplicaEnd> ends;
  bool out_of_memory = false;
  bool launch_failed = false;
  bool stopped_by_request = false;
  EngineEnd engine_end = EngineEnd::kUnknown;
  std::string message;  ///< In Kubernetes' words, unless a program decided.
};

/// Draws the conclusion from the evidence. Pure.
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
///   gone    | none that explains more       | lost
///   any     | any, after a Kill             | stopped once all is gone
///
/// An end that came after a pod's deletion was requested is not the program's.
GangConclusion ConcludeGang(const GangEvidence& evidence);

/// Returns whether a pod waits for an image that cannot be pulled now.
bool MissesImage(const ObservedPod& pod);

/// Returns what a gang that has not started waits for, as the rest of "Trial 3
/// is ...", partly in Kubernetes' words; empty if that is unknown. Pure.
std::string DescribeGangWait(const GangView& view);

/// Returns how a program ended, by its container's exit code. Pure.
ReplicaEnd EndFromExitCode(int exit_code);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_KUBERNETES_GANG_CONCLUSION_H_
