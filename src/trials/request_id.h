#ifndef VERNIER_TRIALS_REQUEST_ID_H_
#define VERNIER_TRIALS_REQUEST_ID_H_

#include <string>

#include "absl/status/status.h"

namespace vernier {

/// Returns INVALID_ARGUMENT for a request id that has more than 128 bytes.
absl::Status CheckRequestId(const std::string& request_id);

/// Returns the id as the store keeps it. It includes the project, because the
/// same id in two projects means two requests.
std::string RequestIdIn(const std::string& project,
                        const std::string& request_id);

}  // namespace vernier

#endif  // VERNIER_TRIALS_REQUEST_ID_H_
