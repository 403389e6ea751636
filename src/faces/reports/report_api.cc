#include "faces/reports/report_api.h"

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cluster/metrics/metric_lines.h"
#include "faces/reports/attempt_reports.h"

namespace vernier {
namespace {

constexpr std::uint64_t kMaxReport = std::uint64_t{1} << 20;

}  // namespace

absl::StatusOr<RestAnswer> ReportApi::Report(const RestCall& call) {
  if (!call.principal.attempt.has_value()) {
    return absl::PermissionDeniedError(
        "only the program of a trial reports, with its attempt's token "
        "(VERNIER_REPORT_URL)");
  }
  const AttemptKey key = *call.principal.attempt;
  VERNIER_RETURN_IF_ERROR(CheckListens(*store_.Snapshot(), key));
  MetricLinesReader reader(LastStepOf(*store_.Snapshot(), key), {},
                           TunedOf(*store_.Snapshot(), key), "the report");
  FileReading reading = reader.Read(call.body, LastLine::kIsDone);
  const Timestamp now = clock_.Now();
  for (Measurement& measurement : reading.measurements) {
    // Lines without a time get the present time, in their order.
    const Timestamp::duration since_1970 =
        measurement.reported_at.time_since_epoch();
    if (since_1970 < std::chrono::hours(24)) {
      measurement.reported_at = now + since_1970;
    }
  }
  if (reading.has_more) {
    return absl::InvalidArgumentError(
        "a report must have at most 10000 values; send several");
  }
  VERNIER_ASSIGN_OR_RETURN(const bool should_stop,
                           TakeReport(store_, clock_, key,
                                      {std::move(reading.measurements),
                                       std::move(reading.attributes)},
                                      &reading.problems));
  Json answer = Json::object();
  answer["shouldStop"] = should_stop;
  if (!reading.problems.empty()) answer["problems"] = reading.problems;
  return std::make_shared<const std::string>(DumpJson(answer));
}

void ReportApi::AddRoutes(RestRouter* router) {
  RestRoute route;
  route.id = "vernier.report";
  route.method = "POST";
  route.pattern = "/v1/report";
  route.permission = v1::REPORT;
  route.summary = "Reports metrics of the attempt whose token is shown.";
  route.handle = Bind(this, &ReportApi::Report);
  route.max_body = kMaxReport;
  router->Add(std::move(route));
}

}  // namespace vernier
