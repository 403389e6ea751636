#ifndef VERNIER_CLI_VERBS_KNOWN_METRICS_H_
#define VERNIER_CLI_VERBS_KNOWN_METRICS_H_

#include <vernier/v1/job_service.pb.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "client/client_connection.h"

namespace vernier {

/// Returns OK if `metric` is one of `known`; else INVALID_ARGUMENT, which names
/// the nearest and all of them. Pure.
absl::Status CheckIsMetric(const std::string& metric,
                           const std::vector<std::string>& known);

/// Returns OK if the trial has reported the metric of `request`, or may yet do
/// so because its study needs it; else the error of CheckIsMetric. Call it if
/// the answer to `request` is empty.
absl::Status CheckHasMetric(const ClientConnection& client,
                            const v1::ListMeasurementsRequest& request);

}  // namespace vernier

#endif  // VERNIER_CLI_VERBS_KNOWN_METRICS_H_
