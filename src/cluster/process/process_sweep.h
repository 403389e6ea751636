#ifndef VERNIER_CLUSTER_PROCESS_PROCESS_SWEEP_H_
#define VERNIER_CLUSTER_PROCESS_PROCESS_SWEEP_H_

#include <set>
#include <string>

namespace vernier {

/// Kills every process of this user whose environment has one of `nonces` as
/// its VERNIER_ATTEMPT, and returns the nonces of those it found. It is the
/// last resort for the gang of a supervisor that was itself killed. A process
/// that was found may still be dying, so only a nonce that a later sweep does
/// not find is gone. A process that changed its environment is not found. If
/// some process cannot be read now, returns all of `nonces`, since nothing is
/// proven.
///
/// Cost: one pass over /proc, whatever the number of nonces.
std::set<std::string> SweepProcesses(const std::set<std::string>& nonces);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_PROCESS_PROCESS_SWEEP_H_
