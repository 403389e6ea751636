#ifndef VERNIER_FACES_ML_ML_ABSENT_API_H_
#define VERNIER_FACES_ML_ML_ABSENT_API_H_

#include "edge/http/rest_router.h"

namespace vernier {

/// The methods of AI Platform's REST API that have no place in a tuning
/// service: models, versions, prediction. Each answers UNIMPLEMENTED in words
/// that say so, instead of a path that seems to be mistyped.
void AddAbsentMlRoutes(RestRouter* router);

}  // namespace vernier

#endif  // VERNIER_FACES_ML_ML_ABSENT_API_H_
