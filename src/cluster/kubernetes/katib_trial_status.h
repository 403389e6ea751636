#ifndef VERNIER_CLUSTER_KUBERNETES_KATIB_TRIAL_STATUS_H_
#define VERNIER_CLUSTER_KUBERNETES_KATIB_TRIAL_STATUS_H_

#include <string>

#include "absl/status/status.h"
#include "base/clock.h"
#include "cluster/kubernetes/kubernetes_api.h"

namespace vernier {

/// Says in the status of Katib's Trial `name` that it was stopped early: adds
/// the condition EarlyStopped, by which Katib's controller ends the trial with
/// the metrics that it has. A Trial that has it already stays as it is. If
/// others change the Trial meanwhile, it is read again. Waits for the server.
///
/// Errors: INVALID_ARGUMENT for a name that no object may have; NOT_FOUND;
/// FAILED_PRECONDITION if the server refuses it, in its words; ABORTED if
/// others change the Trial all the time; those of KubernetesApi::Call.
absl::Status MarkKatibTrialStopped(KubernetesApi& api,
                                   const std::string& name_space,
                                   const std::string& name, Timestamp now);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_KUBERNETES_KATIB_TRIAL_STATUS_H_
