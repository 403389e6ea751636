#ifndef VERNIER_CLUSTER_TRIAL_ENVIRONMENT_H_
#define VERNIER_CLUSTER_TRIAL_ENVIRONMENT_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cluster/cluster_spec.h"
#include "cluster/replica.h"
#include "study/ids.h"
#include "study/job_id.h"
#include "study/job_spec.h"

namespace vernier {

using Environment = std::map<std::string, std::string>;

/// The inputs for the environment of a gang's replicas. `spec` is borrowed.
struct GangContext {
  const JobSpec* spec = nullptr;  ///< Never null.
  AttemptKey attempt;
  std::string nonce;                                   ///< 32 hex digits.
  std::string project = std::string(kDefaultProject);  ///< The job's.
  int restart_count = 0;              ///< As LaunchRequest::restart_count.
  int repeat = 0;                     ///< As LaunchRequest::repeat.
  std::string run_dir;                ///< Absolute, of the attempt.
  std::string job_json;               ///< As JobDescription::json.
  std::vector<std::string> left_out;  ///< As JobDescription::left_out.
  std::string parameters_json;        ///< As TrialParametersJson returns it.
  Environment inherited;              ///< As InheritedEnvironment returns it.
  Environment secrets;                ///< As ReadSecretFile returns them.
  std::vector<ReplicaAddress> addresses;  ///< Of GangReplicas, in its order.
  int master_port = 0;  ///< A free port of its own beside the master's.
  bool machine_has_gpus = false;
  std::string storage_emulator_host;  ///< Of the service's buckets; or empty.
  std::string grpc_endpoint;          ///< Of the service; or empty.
  std::string attempt_token;          ///< For calls to the service; or empty.
  std::string trace_parent;           ///< Of the attempt's trace; or empty.
  std::string package_environment;    ///< A venv's folder; empty: none.
  /// The leased devices of each replica, in the order of GangReplicas. Empty if
  /// there are none.
  std::vector<std::vector<std::string>> devices;
};

/// Returns whether training programs inherit a variable of this name, e.g.
/// PATH, HOME and LANG; docs/training-program.md lists them.
bool ProgramsMayInherit(const std::string& name);

/// Returns the part of the service's own environment that ProgramsMayInherit.
/// `environ` is as in environ(7). The service's secrets are thus not passed on.
Environment AllowedEnvironment(const char* const* environ);

/// Returns the variables that a job's programs inherit: those of its
/// submitter's environment that AllowedEnvironment lets through, if it is
/// known, otherwise those of the service's (`environ`). CUDA_VISIBLE_DEVICES is
/// not inherited: the submitter's value selects the GPUs that the job may
/// lease.
Environment InheritedEnvironment(const JobSpec& spec,
                                 const char* const* environ);

/// Returns a list of folders ("A:B"), in which those at or below `source` are
/// replaced by their counterparts in `copy`, if these exist.
std::string FoldersInCopy(const std::string& folders, const std::string& source,
                          const std::string& copy);

/// Returns InheritedEnvironment, in which folders of PYTHONPATH inside the
/// job's code folder are replaced by those in `work_dir`, its pinned copy.
Environment ProgramsInherit(const JobSpec& spec, const std::string& work_dir,
                            const char* const* environ);

/// Returns the folder below `dir` in which InstallPackages installs: a virtual
/// environment that also sees the interpreter's own packages.
std::string PackageEnvironmentDir(const std::string& dir);

/// Returns the complete environment of the gang's replica at `position` in
/// GangReplicas: what it inherits, then the job's own (vernier.environment),
/// then its secrets, then the service's. Later ones win. Pure.
Environment ReplicaEnvironment(const GangContext& context,
                               std::size_t position);

/// Returns the variables of ReplicaEnvironment that the service sets in every
/// master of the job, so that nothing else can set them. Those that depend on
/// the machine or the service, such as CUDA_VISIBLE_DEVICES, are left out.
std::set<std::string> ServiceVariables(const JobSpec& spec);

/// Splits the leases of GPUs among the replicas, in the order of GangReplicas.
/// No device at all means that each replica gets none; otherwise
/// INVALID_ARGUMENT unless their number is exactly what the replicas need
/// together.
absl::StatusOr<std::vector<std::vector<std::string>>> SplitDevices(
    const JobSpec& spec, const std::vector<std::string>& devices);

/// Returns the working directory of an attempt's replicas, below its `run_dir`.
std::string WorkDirectory(const std::string& run_dir);

/// Returns the directory of the replicas' cloudml-hypertune files below
/// `run_dir`.
std::string MetricDirectory(const std::string& run_dir);

/// Returns the name of the file in MetricDirectory to which one replica
/// reports.
std::string MetricFileName(ReplicaId replica);

/// Returns the name of the file in MetricDirectory that VERNIER_METRICS names
/// to one replica.
std::string MetricLinesFileName(ReplicaId replica);

/// Appends the trial's number to a job's output folder: "DIR/7" in a tuning
/// job, otherwise DIR. gs:// folders are treated in the same way.
std::string TrialJobDir(const JobSpec& spec, TrialId trial);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_TRIAL_ENVIRONMENT_H_
