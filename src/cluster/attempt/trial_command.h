#ifndef VERNIER_CLUSTER_ATTEMPT_TRIAL_COMMAND_H_
#define VERNIER_CLUSTER_ATTEMPT_TRIAL_COMMAND_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cluster/replica.h"
#include "study/ids.h"
#include "study/job_spec.h"
#include "study/parameter.h"

namespace vernier {

/// The program and arguments of one replica.
struct ReplicaCommand {
  /// The program and its own leading arguments. If empty, the entry point of
  /// the replica's image.
  std::vector<std::string> program;
  std::vector<std::string> arguments;
};

/// Returns the program of one replica: vernier.command, else the role's
/// containerCommand, else the master's, else `python3 -m` pythonModule. Its
/// arguments are the user's, the trial's parameters in the order of the search
/// space (without those that ArgStyle::kPlaceholders has put into the words),
/// and --job-dir if the job has one. No shell is involved. In an image the
/// program replaces the entry point; a role with another image than the
/// master's does not inherit the master's command and arguments. `python` runs
/// pythonModule. `local_paths` maps URIs to the paths at which programs see
/// them: it replaces whole words after the program, and the part after the '='
/// in words such as --data=gs://...; --job-dir is left alone.
///
/// INVALID_ARGUMENT if the job names no program.
absl::StatusOr<ReplicaCommand> CommandOfReplica(
    const JobSpec& spec, const Parameters& parameters, TrialId trial,
    ReplicaRole role, const std::string& python = "python3",
    const std::map<std::string, std::string>& local_paths = {});

/// Returns CommandOfReplica as the argument vector of a process.
/// INVALID_ARGUMENT also if the replica has an image, whose command must not
/// run outside of it.
absl::StatusOr<std::vector<std::string>> ReplicaArguments(
    const JobSpec& spec, const Parameters& parameters, TrialId trial,
    ReplicaRole role, const std::string& python = "python3",
    const std::map<std::string, std::string>& local_paths = {});

/// Returns the gs:// URIs in the words of all of the gang's commands that
/// CommandOfReplica would replace. Sorted, without duplicates.
std::set<std::string> BucketArguments(const JobSpec& spec,
                                      const Parameters& parameters);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_ATTEMPT_TRIAL_COMMAND_H_
