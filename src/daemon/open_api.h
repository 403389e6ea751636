#ifndef VERNIER_DAEMON_OPEN_API_H_
#define VERNIER_DAEMON_OPEN_API_H_

#include <string>

#include "edge/http/rest_router.h"

namespace vernier {

/// An OpenAPI 3.1 document (JSON) of all routes and of the storage API, made
/// from the tables that serve them and from the descriptors of their messages:
/// what it says is what is done. Pure.
std::string OpenApiDocument(const RestRouter& router);

/// Serves the document of all routes that there are by then at /openapi.json.
void AddDescriptionRoute(RestRouter* router);

}  // namespace vernier

#endif  // VERNIER_DAEMON_OPEN_API_H_
