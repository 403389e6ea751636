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

/// What the environment of a gang's replicas is made from. `spec` is borrowed.
struct GangContext {
  const JobSpec* spec = nullptr;  ///< Never null.
  AttemptKey attempt;
  std::string nonce;                                   ///< 32 hex digits.
  std::string project = std::string(kDefaultProject);  ///< The job's.
  std::string run_dir;    ///< Absolute, of the attempt.
  std::string job_json;   ///< As TrainingInputForTrial returns it.
  Environment inherited;  ///< As InheritedEnvironment returns it.
  Environment secrets;    ///< As ReadSecretFile returns them.
  std::vector<ReplicaAddress> addresses;  ///< Of GangReplicas, in its order.
  int master_port = 0;  ///< A free port of its own beside the master's.
  bool machine_has_gpus = false;
  std::string storage_emulator_host;  ///< Of the service's buckets; or empty.
  std::string package_environment;    ///< A venv's folder; empty: none.
  /// GPUs of each replica, in the order of GangReplicas. Empty: none.
  std::vector<std::vector<std::string>> devices;
};

/// Whether training programs get a variable of this name from outside, e.g.
/// PATH, HOME and LANG; docs/training-program.md lists them.
bool ProgramsMayInherit(const std::string& name);

/// The part of the service's own environment that ProgramsMayInherit.
/// `environ` is as in environ(7). Secrets of the service thus stay where they
/// are.
Environment AllowedEnvironment(const char* const* environ);

/// What a job's programs inherit: what its submitter's environment had of the
/// variables that AllowedEnvironment lets through, if that is known, else what
/// the service's has (`environ`). GPUs are not inherited: what the submitter
/// said of them chooses those that the job may lease.
Environment InheritedEnvironment(const JobSpec& spec,
                                 const char* const* environ);

/// Of a list of folders ("A:B"), those at or below `source` as they lie in
/// `copy`, if they lie there; the others as they are.
std::string FoldersInCopy(const std::string& folders, const std::string& source,
                          const std::string& copy);

/// InheritedEnvironment, with the folders of PYTHONPATH that lie in the job's
/// code folder taken from `work_dir`, its pinned copy.
Environment ProgramsInherit(const JobSpec& spec, const std::string& work_dir,
                            const char* const* environ);

/// Where InstallPackages installs below `dir`: a virtual environment that sees
/// the interpreter's own packages, too.
std::string PackageEnvironmentDir(const std::string& dir);

/// The complete environment of the gang's replica at `position` in
/// GangReplicas: what it inherits, then the job's own (vernier.environment),
/// then its secrets, then ours, which wins. Pure.
Environment ReplicaEnvironment(const GangContext& context,
                               std::size_t position);

/// The variables of ReplicaEnvironment that are ours in every replica of the
/// job's that is a master: nothing else can set them there. Those that depend
/// on the machine or the service, such as CUDA_VISIBLE_DEVICES, are left out.
std::set<std::string> ServiceVariables(const JobSpec& spec);

/// Splits the leased GPUs among the replicas, in the order of GangReplicas.
/// No device at all means that each replica gets none; else INVALID_ARGUMENT
/// unless they are exactly as many as the replicas need together.
absl::StatusOr<std::vector<std::vector<std::string>>> SplitDevices(
    const JobSpec& spec, const std::vector<std::string>& devices);

/// Directory, below `run_dir`, of the replicas' cloudml-hypertune files.
std::string MetricDirectory(const std::string& run_dir);

/// The file in MetricDirectory that one replica reports to.
std::string MetricFileName(ReplicaId replica);

/// Joins a job's output folder with the trial's number: "DIR/7" in a tuning
/// job, else DIR. gs:// folders too, verbatim.
std::string TrialJobDir(const JobSpec& spec, TrialId trial);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_TRIAL_ENVIRONMENT_H_
