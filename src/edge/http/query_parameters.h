#ifndef VERNIER_EDGE_HTTP_QUERY_PARAMETERS_H_
#define VERNIER_EDGE_HTTP_QUERY_PARAMETERS_H_

#include "absl/status/status.h"
#include "edge/http/rest_router.h"
#include "http/http_message.h"

namespace vernier {

/// OK if every query parameter is one of `route`'s or one that Google's clients
/// may send with any call; else INVALID_ARGUMENT that names it and the nearest.
/// A filter that was mistyped must not answer as if there were none. Pure.
absl::Status CheckQueryParameters(const HttpFields& query,
                                  const RestRoute& route);

}  // namespace vernier

#endif  // VERNIER_EDGE_HTTP_QUERY_PARAMETERS_H_
