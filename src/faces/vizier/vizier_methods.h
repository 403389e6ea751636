#ifndef VERNIER_FACES_VIZIER_VIZIER_METHODS_H_
#define VERNIER_FACES_VIZIER_VIZIER_METHODS_H_

#include "access/vizier_access.h"
#include "edge/grpc/grpc_methods.h"
#include "edge/grpc/unnamed_methods.h"
#include "edge/load_limiter.h"
#include "faces/vizier/vizier_handlers.h"

namespace vernier {

/// The parts that calls of Vizier's clients share with all others.
struct VizierCalls {
  UnaryCall::Parts parts;
  LoadLimiter& load;
};

/// vizier.VizierService as methods of a gRPC server. SuggestTrials holds no
/// thread while it waits. `handlers` and what `calls` refers to must outlive
/// every call.
void AddVizierMethods(VizierHandlers& handlers, const VizierCalls& calls,
                      VizierOverTcp over_tcp, GrpcMethods* methods);

}  // namespace vernier

#endif  // VERNIER_FACES_VIZIER_VIZIER_METHODS_H_
