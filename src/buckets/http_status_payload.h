#ifndef VERNIER_BUCKETS_HTTP_STATUS_PAYLOAD_H_
#define VERNIER_BUCKETS_HTTP_STATUS_PAYLOAD_H_

#include <optional>

#include "absl/status/status.h"

namespace vernier {

/// RESOURCE_EXHAUSTED can mean several HTTP statuses. An error that needs a
/// certain one, such as 413 where a quota is used up, carries it as a payload.
absl::Status WithHttpStatus(absl::Status error, int http_status);

/// Returns the HTTP status that `error` carries; nullopt if none was given.
std::optional<int> GivenHttpStatus(const absl::Status& error);

}  // namespace vernier

#endif  // VERNIER_BUCKETS_HTTP_STATUS_PAYLOAD_H_
