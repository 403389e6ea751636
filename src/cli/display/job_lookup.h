#ifndef VERNIER_CLI_DISPLAY_JOB_LOOKUP_H_
#define VERNIER_CLI_DISPLAY_JOB_LOOKUP_H_

#include <string>

#include "absl/status/statusor.h"

namespace vernier {

class ClientConnection;

/// Returns a job's JSON without its trials, of which there may be very many.
absl::StatusOr<std::string> GetJobWithoutTrials(const ClientConnection& client,
                                                const std::string& job_id);

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_JOB_LOOKUP_H_
