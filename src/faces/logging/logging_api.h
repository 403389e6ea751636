#ifndef VERNIER_FACES_LOGGING_LOGGING_API_H_
#define VERNIER_FACES_LOGGING_LOGGING_API_H_

#include "base/clock.h"
#include "edge/http/rest_router.h"
#include "store/store.h"

namespace vernier {

/// `entries:list` of Cloud Logging's REST API (v2) over the logs of jobs, as
/// far as `gcloud ai-platform jobs stream-logs` and `gcloud logging read` need
/// it. Filters may name timestamp, insertId, severity, resource.type,
/// resource.labels.*, labels.*, jsonPayload.message and textPayload.
/// Thread-safe.
class LoggingApi {
 public:
  /// Borrows both; they must outlive this object.
  LoggingApi(const Store& store, const Clock& clock)
      : store_(store), clock_(clock) {}

  /// Adds the routes; this object must outlive `router`.
  void AddRoutes(RestRouter* router);

 private:
  absl::StatusOr<RestAnswer> ListEntries(const RestCall& call);

  const Store& store_;
  const Clock& clock_;
};

}  // namespace vernier

#endif  // VERNIER_FACES_LOGGING_LOGGING_API_H_
