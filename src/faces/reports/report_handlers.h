#ifndef VERNIER_FACES_REPORTS_REPORT_HANDLERS_H_
#define VERNIER_FACES_REPORTS_REPORT_HANDLERS_H_

#include "absl/status/status.h"
#include "base/clock.h"
#include "edge/grpc/gated_methods.h"
#include "edge/grpc/grpc_methods.h"
#include "store/store.h"

namespace vernier::v1 {
class ReportRequest;
class ReportResponse;
}  // namespace vernier::v1

namespace vernier {

/// vernier.v1.ReportService: the same as ReportApi over HTTP. Thread-safe.
class ReportHandlers {
 public:
  /// Borrows both; they must outlive this object.
  ReportHandlers(Store& store, const Clock& clock)
      : store_(store), clock_(clock) {}

  /// Errors: see report_service.proto.
  absl::Status Report(const AttemptKey& attempt,
                      const v1::ReportRequest& request,
                      v1::ReportResponse* response);

 private:
  Store& store_;
  const Clock& clock_;
};

/// Adds the methods of the service. Borrows `handlers` and the objects in
/// `calls`.
void AddReportMethods(ReportHandlers& handlers, const GatedCalls& calls,
                      GrpcMethods* methods);

}  // namespace vernier

#endif  // VERNIER_FACES_REPORTS_REPORT_HANDLERS_H_
