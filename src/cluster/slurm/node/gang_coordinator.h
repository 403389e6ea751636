#ifndef VERNIER_CLUSTER_SLURM_NODE_GANG_COORDINATOR_H_
#define VERNIER_CLUSTER_SLURM_NODE_GANG_COORDINATOR_H_

#include <string>

namespace vernier {

/// Runs the command `vernier slurm-gang ATTEMPT_DIR`, the batch script of an
/// attempt's job: claims the attempt for the job, starts a step for each role,
/// waits for the end that decides, ends the others, and records how the attempt
/// ended. docs/cluster-protocols.md describes it. SIGTERM asks for the end. If
/// Slurm itself ends the gang (preemption, its time limit), no record is
/// written, and Slurm's own state of the job shows why.
///
/// Call it early, from a process with one thread; it takes over the signals and
/// descriptors. Returns the exit code of the process.
int RunGangCoordinator(const std::string& attempt_dir);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_NODE_GANG_COORDINATOR_H_
