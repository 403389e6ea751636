#ifndef VERNIER_EDGE_HTTP_REST_ERROR_H_
#define VERNIER_EDGE_HTTP_REST_ERROR_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "http/http_message.h"
#include "study/job_file/job_parser.h"

namespace vernier {

/// Returns INVALID_ARGUMENT that lists which fields of the body were wrong, so
/// that ErrorResponse can report each.
absl::Status FieldViolations(const std::vector<SpecError>& errors);

/// Returns Google's JSON form of an error: {"error": {"code", "message",
/// "status", "details"}}, and Retry-After if RateLimiter refused the call.
/// `http_status`, if not 0, replaces the one that belongs to the code.
HttpResponse ErrorResponse(const absl::Status& status, int http_status = 0);

}  // namespace vernier

#endif  // VERNIER_EDGE_HTTP_REST_ERROR_H_
