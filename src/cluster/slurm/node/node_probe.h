#ifndef VERNIER_CLUSTER_SLURM_NODE_NODE_PROBE_H_
#define VERNIER_CLUSTER_SLURM_NODE_NODE_PROBE_H_

#include <chrono>
#include <string>

#include "absl/status/status.h"

namespace vernier {

/// Returns OK if a server answers at `url` ("http://host:port"). For https it
/// is enough that the server accepts the connection; callers of the service
/// check its certificate themselves.
absl::Status ReachUrl(const std::string& url, std::chrono::milliseconds limit);

/// Runs the command `vernier slurm-probe FOLDER URL`, which a probe's job
/// executes on a node: reports what it finds. Returns the exit status.
int RunNodeProbe(const std::string& folder, const std::string& url);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_NODE_NODE_PROBE_H_
