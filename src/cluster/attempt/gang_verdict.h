#ifndef VERNIER_CLUSTER_ATTEMPT_GANG_VERDICT_H_
#define VERNIER_CLUSTER_ATTEMPT_GANG_VERDICT_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "cluster/attempt/exit_record.h"

namespace vernier {

/// Returns the position of the replica whose end ends the gang, or nullopt
/// while the gang continues. `ends` holds, master first, how each replica
/// ended; an unset entry still runs. Pure.
///
/// The master's end always decides, whether it succeeded or failed. Another
/// replica decides only by failing; it may end early with status 0.
std::optional<std::size_t> DecidingReplica(
    const std::vector<std::optional<ReplicaEnd>>& ends);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_ATTEMPT_GANG_VERDICT_H_
