#ifndef VERNIER_FACES_KATIB_KATIB_METHODS_H_
#define VERNIER_FACES_KATIB_KATIB_METHODS_H_

#include "edge/grpc/grpc_methods.h"
#include "edge/grpc/unary_call.h"
#include "edge/load_limiter.h"
#include "faces/katib/katib_handlers.h"

namespace vernier {

/// Adds Katib's Suggestion and EarlyStopping services to the methods of a gRPC
/// server that has nothing else to offer, since whoever connects may call it:
/// Katib's controller carries no token. Health is told by the name that Katib's
/// probes use, too. `handlers`, `parts` and `load` must outlive every call.
void AddKatibMethods(KatibHandlers& handlers, const UnaryCall::Parts& parts,
                     LoadLimiter& load, GrpcMethods* methods);

}  // namespace vernier

#endif  // VERNIER_FACES_KATIB_KATIB_METHODS_H_
