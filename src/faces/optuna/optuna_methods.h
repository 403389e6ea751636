#ifndef VERNIER_FACES_OPTUNA_OPTUNA_METHODS_H_
#define VERNIER_FACES_OPTUNA_OPTUNA_METHODS_H_

#include "edge/grpc/grpc_methods.h"
#include "edge/grpc/unary_call.h"
#include "edge/load_limiter.h"
#include "faces/optuna/optuna_handlers.h"

namespace vernier {

/// The parts that calls of Optuna's clients share with all others.
struct OptunaCalls {
  UnaryCall::Parts parts;
  LoadLimiter& load;
};

/// optuna.StorageService as methods of a gRPC server. Its clients have no
/// credentials, so whoever reaches the server's address may call them; those
/// who call by TCP from one address share its memory and threads. `handlers`
/// and what `calls` refers to must outlive every call.
void AddOptunaMethods(OptunaHandlers& handlers, const OptunaCalls& calls,
                      GrpcMethods* methods);

}  // namespace vernier

#endif  // VERNIER_FACES_OPTUNA_OPTUNA_METHODS_H_
