#ifndef VERNIER_CLUSTER_LOCAL_TRIAL_COMMAND_H_
#define VERNIER_CLUSTER_LOCAL_TRIAL_COMMAND_H_

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

/// The argument vector of one replica: the program (vernier.command, else the
/// role's containerCommand, else the master's, else `python3 -m` pythonModule),
/// the user's arguments, the trial's parameters in the order of the search
/// space, and --job-dir if the job has one. No shell is involved. `python` runs
/// pythonModule. `local_paths` maps URIs to what programs see of them: it
/// replaces whole words after the program, and the part after the '=' in words
/// such as --data=gs://...; --job-dir is left alone.
///
/// INVALID_ARGUMENT if the job names no program that can run on this machine, or
/// an image, whose command must not run outside of it.
absl::StatusOr<std::vector<std::string>> ReplicaArguments(
    const JobSpec& spec, const Parameters& parameters, TrialId trial,
    ReplicaRole role, const std::string& python = "python3",
    const std::map<std::string, std::string>& local_paths = {});

/// The gs:// URIs in the words of all of the gang's commands that
/// ReplicaArguments would replace. Sorted, each once.
std::set<std::string> BucketArguments(const JobSpec& spec,
                                      const Parameters& parameters);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_LOCAL_TRIAL_COMMAND_H_
