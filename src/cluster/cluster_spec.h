#ifndef VERNIER_CLUSTER_CLUSTER_SPEC_H_
#define VERNIER_CLUSTER_CLUSTER_SPEC_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cluster/replica.h"
#include "study/ids.h"
#include "study/job_spec.h"

namespace vernier {

/// The address of one replica of a gang.
struct ReplicaAddress {
  ReplicaId replica;
  std::string host = "127.0.0.1";
  int port = 0;
};

/// The cluster that TF_CONFIG and CLUSTER_SPEC describe.
struct ClusterDescription {
  std::vector<ReplicaAddress> addresses;  ///< Master first; all replicas.
  std::string job_json;                   ///< As JobDescription::json.
  std::string cloud_id;                   ///< Opaque; `task.cloud`.
  std::optional<TrialId> trial;           ///< Set in a tuning job.
};

/// Returns the name of the primary in TF_CONFIG: "chief" or "master". Programs
/// depend on it: an Estimator with only a chief never evaluates. A Python
/// module on runtime version 2.1 or later gets "chief". Everything else gets
/// "master", unless useChiefInTfConfig is set, which a runtime version before
/// 2.1 overrules.
std::string PrimaryTaskName(const JobSpec& spec);

/// Returns TF_CONFIG of `replica`: one line of JSON. Evaluators are not in
/// `cluster`; a role without replicas is absent; `task.trial` is a string and
/// absent outside tuning.
std::string TfConfig(const ClusterDescription& cluster,
                     const std::string& primary_name, ReplicaId replica);

/// Returns CLUSTER_SPEC of `replica`: as TF_CONFIG, but the primary is always
/// "master".
std::string ClusterSpec(const ClusterDescription& cluster, ReplicaId replica);

/// The description of a job for its programs, in CLOUD_ML_JOB and under `job`.
struct JobDescription {
  std::string json;  ///< The training input with snake_case keys; one line.
  /// The fields that were left out because the text exceeded kLongestVariable
  /// bytes: first `hyperparameters`, then `args`, then the largest.
  std::vector<std::string> left_out;
};

/// Returns the description, made from the job's JSON. INVALID_ARGUMENT if
/// `spec_json` is not a job.
absl::StatusOr<JobDescription> TrainingInputForTrial(
    const std::string& spec_json);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CLUSTER_SPEC_H_
