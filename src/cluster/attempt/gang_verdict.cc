#include "cluster/attempt/gang_verdict.h"

namespace vernier {

std::optional<std::size_t> DecidingReplica(
    const std::vector<std::optional<ReplicaEnd>>& ends) {
  if (!ends.empty() && ends.front()) return 0;
  for (std::size_t i = 1; i < ends.size(); ++i) {
    if (ends[i] && !ends[i]->is_success()) return i;
  }
  return std::nullopt;
}

}  // namespace vernier
