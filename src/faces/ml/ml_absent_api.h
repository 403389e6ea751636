#ifndef VERNIER_FACES_ML_ML_ABSENT_API_H_
#define VERNIER_FACES_ML_ML_ABSENT_API_H_

#include "edge/http/rest_router.h"

namespace vernier {

/// Adds the methods of AI Platform's REST API that a tuning service does not
/// have: models, versions, prediction. Each answers UNIMPLEMENTED with an
/// explanation, because NOT_FOUND would suggest a mistyped path.
void AddAbsentMlRoutes(RestRouter* router);

}  // namespace vernier

#endif  // VERNIER_FACES_ML_ML_ABSENT_API_H_
