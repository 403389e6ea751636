#include "cluster/replica.h"

namespace vernier {

std::string_view ToString(ReplicaRole role) {
  switch (role) {
    case ReplicaRole::kMaster:
      return "master";
    case ReplicaRole::kWorker:
      return "worker";
    case ReplicaRole::kParameterServer:
      return "ps";
    case ReplicaRole::kEvaluator:
      return "evaluator";
  }
  return "unknown";
}

std::string ReplicaTitle(ReplicaId replica) {
  return std::string(ToString(replica.role)) + " " +
         std::to_string(replica.index);
}

std::string ReplicaName(ReplicaId replica) {
  return std::string(ToString(replica.role)) + "-replica-" +
         std::to_string(replica.index);
}

bool ReportsForTrial(ReplicaId replica) {
  return replica.index == 0 && (replica.role == ReplicaRole::kMaster ||
                                replica.role == ReplicaRole::kEvaluator);
}

const RoleSpec& RoleOf(const TrainingInput& input, ReplicaRole role) {
  switch (role) {
    case ReplicaRole::kMaster:
      return input.master;
    case ReplicaRole::kWorker:
      return input.worker;
    case ReplicaRole::kParameterServer:
      return input.parameter_server;
    case ReplicaRole::kEvaluator:
      return input.evaluator;
  }
  return input.master;
}

const std::string& ImageOf(const TrainingInput& input, ReplicaRole role) {
  const std::string& own = RoleOf(input, role).config.image_uri;
  return own.empty() ? input.master.config.image_uri : own;
}

std::vector<ReplicaId> GangReplicas(const TrainingInput& input) {
  std::vector<ReplicaId> replicas = {{ReplicaRole::kMaster, 0}};
  for (ReplicaRole role : {ReplicaRole::kWorker, ReplicaRole::kParameterServer,
                           ReplicaRole::kEvaluator}) {
    for (int index = 0; index < RoleOf(input, role).count; ++index) {
      replicas.push_back({role, index});
    }
  }
  return replicas;
}

}  // namespace vernier
