#include "faces/reports/report_handlers.h"

#include <vernier/v1/report_service.pb.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "faces/messages/proto_time.h"
#include "faces/reports/attempt_reports.h"

namespace vernier {
namespace {

// Returns the problem of a metric's name; empty: there is none.
std::string ProblemOf(const std::string& name) {
  if (name.empty()) return "a metric needs a name";
  if (name.size() > kMaxMetricName) {
    return absl::StrCat("a metric's name has more than ", kMaxMetricName,
                        " bytes: ", ShowText(name));
  }
  return "";
}

absl::Status InField(const char* field, const absl::Status& status) {
  return absl::InvalidArgumentError(
      absl::StrCat("steps.", field, " ", std::string(status.message())));
}

std::size_t CountValues(const v1::ReportRequest& request) {
  std::size_t count = 0;
  for (const v1::ReportRequest::Step& step : request.steps()) {
    count += static_cast<std::size_t>(step.metrics_size());
  }
  return count;
}

}  // namespace

absl::Status ReportHandlers::Report(const AttemptKey& attempt,
                                    const v1::ReportRequest& request,
                                    v1::ReportResponse* response) {
  VERNIER_RETURN_IF_ERROR(CheckListens(*store_.Snapshot(), attempt));
  if (CountValues(request) > kMaxReportedValues) {
    return absl::InvalidArgumentError(
        absl::StrCat("a report must have at most ", kMaxReportedValues,
                     " values; send several"));
  }
  std::vector<Measurement> measurements;
  std::vector<std::string> problems;
  for (const v1::ReportRequest::Step& step : request.steps()) {
    Measurement measurement;
    measurement.step = step.step();
    measurement.reported_at = clock_.Now();
    if (step.has_time()) {
      const auto time = FromProto(step.time());
      if (!time.ok()) return InField("time", time.status());
      measurement.reported_at = *time;
    }
    if (step.has_elapsed()) {
      const auto elapsed = ElapsedFromProto(step.elapsed());
      if (!elapsed.ok()) return InField("elapsed", elapsed.status());
      measurement.elapsed = *elapsed;
    }
    for (const auto& [name, value] : step.metrics()) {
      std::string problem = ProblemOf(name);
      if (!problem.empty()) {
        if (problems.size() < kMaxMetricProblems) {
          problems.push_back(std::move(problem));
        }
        continue;
      }
      measurement.metric = name;
      measurement.value = value;
      measurements.push_back(measurement);
    }
  }
  AttemptReport report{
      std::move(measurements),
      UserAttributes(request.attributes().begin(), request.attributes().end())};
  VERNIER_ASSIGN_OR_RETURN(
      const bool should_stop,
      TakeReport(store_, clock_, attempt, std::move(report), &problems));
  response->set_should_stop(should_stop);
  for (std::string& problem : problems) {
    response->add_problems(std::move(problem));
  }
  return absl::OkStatus();
}

void AddReportMethods(ReportHandlers& handlers, const GatedCalls& calls,
                      GrpcMethods* methods) {
  GatedService<ReportHandlers>("vernier.v1.ReportService", handlers, calls,
                               methods)
      .OfAttempt("Report", &ReportHandlers::Report,
                 MessageLimits{std::size_t{1} << 20});
}

}  // namespace vernier
