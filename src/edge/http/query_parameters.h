#ifndef VERNIER_EDGE_HTTP_QUERY_PARAMETERS_H_
#define VERNIER_EDGE_HTTP_QUERY_PARAMETERS_H_

#include "absl/status/status.h"
#include "edge/http/rest_router.h"
#include "http/http_message.h"

namespace vernier {

/// Returns OK if every query parameter belongs to `route` or may be sent by
/// Google's clients with any call; otherwise INVALID_ARGUMENT names it and the
/// nearest known one. A mistyped filter must not be ignored. Pure.
absl::Status CheckQueryParameters(const HttpFields& query,
                                  const RestRoute& route);

}  // namespace vernier

#endif  // VERNIER_EDGE_HTTP_QUERY_PARAMETERS_H_
