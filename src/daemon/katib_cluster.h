#ifndef VERNIER_DAEMON_KATIB_CLUSTER_H_
#define VERNIER_DAEMON_KATIB_CLUSTER_H_

#include <string>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "faces/katib/katib_handlers.h"

namespace vernier {

/// Returns the cluster whose DB manager listens at `db_manager`, "HOST:PORT";
/// if that is empty, one without early stopping. Trials are marked by the
/// service account of this pod, and by no other credentials: whoever reaches
/// Katib's address may ask for it. `clock` must outlive the result. Connects to
/// nothing yet. INVALID_ARGUMENT if it is no such address.
absl::StatusOr<KatibCluster> MakeKatibCluster(const std::string& db_manager,
                                              const Clock& clock);

}  // namespace vernier

#endif  // VERNIER_DAEMON_KATIB_CLUSTER_H_
