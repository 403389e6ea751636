#ifndef VERNIER_CLI_VERBS_BEST_TRIALS_REQUEST_H_
#define VERNIER_CLI_VERBS_BEST_TRIALS_REQUEST_H_

#include <vernier/v1/job_service.grpc.pb.h>

#include <string>

#include "absl/status/statusor.h"
#include "client/client_connection.h"

namespace vernier {

/// Returns the request for the best trials of a study, best first, as
/// docs/ends.md defines them: at most `at_most`, but the whole front of several
/// metrics. Asks the service how many metrics there are.
absl::StatusOr<v1::ListTrialsRequest> BestTrialsRequest(
    const ClientConnection& client, const std::string& study, int at_most);

}  // namespace vernier

#endif  // VERNIER_CLI_VERBS_BEST_TRIALS_REQUEST_H_
