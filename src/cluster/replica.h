#ifndef VERNIER_CLUSTER_REPLICA_H_
#define VERNIER_CLUSTER_REPLICA_H_

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "study/job_spec.h"

namespace vernier {

enum class ReplicaRole {
  kMaster = 1,  ///< The primary: its end is the attempt's end.
  kWorker = 2,
  kParameterServer = 3,
  kEvaluator = 4,
};

/// One process of a gang; `index` counts from 0 within the role.
struct ReplicaId {
  ReplicaRole role = ReplicaRole::kMaster;
  int index = 0;

  friend auto operator<=>(const ReplicaId&, const ReplicaId&) = default;
};

/// Returns "master", "worker", "ps" or "evaluator", as in CLUSTER_SPEC.
std::string_view ToString(ReplicaRole role);

/// Returns, for instance, "worker 2", as AI Platform's messages name a replica.
std::string ReplicaTitle(ReplicaId replica);

/// Returns, for instance, "worker-replica-2", as AI Platform's logs name a
/// replica; also the name of files.
std::string ReplicaName(ReplicaId replica);

/// Returns whether the replica's metrics are the trial's: those of the chief,
/// and of evaluator 0, which reports in the chief's place.
bool ReportsForTrial(ReplicaId replica);

/// Returns the role's part of a training input.
const RoleSpec& RoleOf(const TrainingInput& input, ReplicaRole role);

/// Returns the container image of the role's replicas: its own, else the
/// master's. Empty if they run as processes.
const std::string& ImageOf(const TrainingInput& input, ReplicaRole role);

/// Returns all replicas of a job's gang: master 0 first, then workers,
/// parameter servers and evaluators by index.
std::vector<ReplicaId> GangReplicas(const TrainingInput& input);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_REPLICA_H_
