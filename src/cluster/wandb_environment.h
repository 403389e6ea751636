#ifndef VERNIER_CLUSTER_WANDB_ENVIRONMENT_H_
#define VERNIER_CLUSTER_WANDB_ENVIRONMENT_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cluster/replica.h"
#include "study/job_spec.h"
#include "study/parameter.h"

namespace vernier {

/// A program that was written for a sweep of Weights & Biases runs unchanged:
/// its library takes the trial's parameters from the file that
/// WANDB_SWEEP_PARAM_PATH names, sends nothing anywhere (WANDB_MODE=offline),
/// and writes what the program logs into a file, which LoggedFilesFollower
/// reads.

/// True if a job's programs get these variables: it tunes, and the source WANDB
/// is not switched off (vernier.metricSources).
bool ServesWandb(const JobSpec& spec);

/// The folders of an attempt.
struct AttemptFolders {
  std::string metrics;  ///< Its MetricDirectory.
  std::string work;     ///< Its WorkDirectory.
  std::string output;   ///< The trial's job dir; may be empty or a bucket's.
};

/// Adds the variables for one replica. The job's own values of them stay, and a
/// job with a WANDB_API_KEY logs to the service that it is for.
void AddWandb(const JobSpec& spec, const AttemptFolders& folders,
              ReplicaId replica,
              std::map<std::string, std::string>& environment);

/// Returns the names of these variables.
std::vector<std::string> WandbVariables();

/// Returns the folder below an attempt's MetricDirectory into which the library
/// writes its files if the attempt has no other folder of its own.
std::string WandbDirectory(const std::string& metric_dir);

/// Returns the text of a parameter file: YAML, a mapping with a "value" below
/// each name. `parameters_json` is as TrialParametersJson returns it. Pure.
std::string WandbParametersText(const std::string& parameters_json);

/// Writes the parameter file into an attempt's MetricDirectory, and makes the
/// folders of the replicas that do not report.
absl::Status PrepareWandb(const std::string& metric_dir, const JobSpec& spec,
                          const Parameters& parameters);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_WANDB_ENVIRONMENT_H_
