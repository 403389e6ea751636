#ifndef VERNIER_CLUSTER_SLURM_FAILED_NODES_H_
#define VERNIER_CLUSTER_SLURM_FAILED_NODES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cluster/slurm/slurm_jobs.h"
#include "study/ids.h"

namespace vernier {

/// Returns the nodes on which an attempt failed through no fault of its own, as
/// far as that is known: those of a job that Slurm ended as NODE_FAIL, or that
/// failed before its programs ran (`gang_ran` is false). For a job on several
/// nodes, only those that srun blamed in `job_log`, the end of the job's log.
/// Pure.
std::vector<std::string> NodesToBlame(const JobView& job, bool gang_ran,
                                      const std::string& job_log);

/// Stores the nodes in the attempt's folder, for the trial's next attempts.
absl::Status NoteFailedNodes(const std::string& attempt_dir,
                             const std::vector<std::string>& nodes);

/// Returns the nodes that the trial's last attempts noted, sorted. A file that
/// cannot be read is skipped, since this is only a hint.
std::vector<std::string> FailedNodesBefore(const AttemptKey& attempt,
                                           const std::string& attempt_dir);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_FAILED_NODES_H_
