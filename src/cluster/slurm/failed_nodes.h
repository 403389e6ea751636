#ifndef VERNIER_CLUSTER_SLURM_FAILED_NODES_H_
#define VERNIER_CLUSTER_SLURM_FAILED_NODES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cluster/slurm/slurm_jobs.h"
#include "study/ids.h"

namespace vernier {

/// The nodes on which an attempt failed by no fault of its own, as far as that
/// can be told: of a job that Slurm ended as NODE_FAIL, or that failed before
/// its programs ran (`gang_ran` is false). Of a job on several nodes only those
/// that srun blamed in `job_log`, the end of the job's log. Pure.
std::vector<std::string> NodesToBlame(const JobView& job, bool gang_ran,
                                      const std::string& job_log);

/// Keeps them in the attempt's folder, for the trial's next attempts.
absl::Status NoteFailedNodes(const std::string& attempt_dir,
                             const std::vector<std::string>& nodes);

/// The nodes that earlier attempts of the trial noted, sorted; at most those of
/// the last attempts. A file that cannot be read is skipped: it is only a hint.
std::vector<std::string> FailedNodesBefore(const AttemptKey& attempt,
                                           const std::string& attempt_dir);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_FAILED_NODES_H_
