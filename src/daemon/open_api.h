#ifndef VERNIER_DAEMON_OPEN_API_H_
#define VERNIER_DAEMON_OPEN_API_H_

#include <string>

#include "edge/http/rest_router.h"

namespace vernier {

/// Returns an OpenAPI 3.1 document (JSON) of all routes and of the storage API.
/// It is made from the tables that serve them and from the descriptors of their
/// messages, so it cannot differ from what is served. Pure.
std::string OpenApiDocument(const RestRouter& router);

/// Serves the document at /openapi.json; it has all routes that exist at the
/// time of the call.
void AddDescriptionRoute(RestRouter* router);

}  // namespace vernier

#endif  // VERNIER_DAEMON_OPEN_API_H_
