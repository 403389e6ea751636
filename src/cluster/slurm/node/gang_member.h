#ifndef VERNIER_CLUSTER_SLURM_NODE_GANG_MEMBER_H_
#define VERNIER_CLUSTER_SLURM_NODE_GANG_MEMBER_H_

#include <string>

namespace vernier {

/// Runs the command `vernier slurm-replica ATTEMPT_DIR ROLE`, a task of a step:
/// reserves its ports, publishes its address, waits for those of the others,
/// runs the replica's program to its end, leaves no process behind, and records
/// how it ended. Its index is SLURM_PROCID. `role` is ReplicaRole's number. The
/// address at which the others reach this node follows from the `hosts` in
/// PublishHosts' file: "NODE=ADDRESS,...", "interface:NAME", any other word if
/// the nodes' names serve as addresses, or nothing if there is only this node.
/// Call it early, from a process with one thread. Returns the exit code of the
/// process: 0 if the end was recorded, whatever it was.
int RunGangMember(const std::string& attempt_dir, const std::string& role);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_NODE_GANG_MEMBER_H_
