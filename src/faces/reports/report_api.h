#ifndef VERNIER_FACES_REPORTS_REPORT_API_H_
#define VERNIER_FACES_REPORTS_REPORT_API_H_

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "edge/http/rest_router.h"
#include "store/store.h"

namespace vernier {

/// Receives the reports of training programs by HTTP, with the token of their
/// attempt: POST /v1/report with lines of JSON in the form of
/// MetricLinesReader. The answer comes when the measurements are on disk:
///
///   {"shouldStop": false}
///
/// `shouldStop` says that the trial is being stopped; `problems` lists the
/// parts that could not be used. Thread-safe.
class ReportApi {
 public:
  /// Borrows both; they must outlive this object.
  ReportApi(Store& store, const Clock& clock) : store_(store), clock_(clock) {}

  void AddRoutes(RestRouter* router);

 private:
  /// PERMISSION_DENIED without an attempt; FAILED_PRECONDITION if its job does
  /// not listen to reports; INVALID_ARGUMENT if none of the lines can be taken,
  /// and for too many; those of Store::Commit.
  absl::StatusOr<RestAnswer> Report(const RestCall& call);

  Store& store_;
  const Clock& clock_;
};

}  // namespace vernier

#endif  // VERNIER_FACES_REPORTS_REPORT_API_H_
