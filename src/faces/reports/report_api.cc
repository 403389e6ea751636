#include "faces/reports/report_api.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_join.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cluster/metrics/metric_lines.h"

namespace vernier {
namespace {

constexpr std::uint64_t kMaxReport = std::uint64_t{1} << 20;

bool ListensToReports(const JobSpec& spec) {
  const auto& kinds = spec.vernier.metric_sources;
  return kinds.empty() || std::find(kinds.begin(), kinds.end(),
                                    MetricSourceKind::kReport) != kinds.end();
}

// Whether the attempt is to end. One that is gone is, too.
bool ShouldStop(const StoreSnapshot& snapshot, const AttemptKey& key) {
  const auto study = snapshot.find(key.study);
  if (study == snapshot.end()) return true;
  const TrialRecord& trial = study->second->trials.Get(key.trial);
  const AttemptRecord& attempt =
      trial.attempts[static_cast<std::size_t>(key.number - 1)];
  return attempt.kill_wanted || IsTerminal(attempt.state) ||
         trial.state == TrialState::kStopping || IsTerminal(trial.state);
}

}  // namespace

absl::StatusOr<RestAnswer> ReportApi::Report(const RestCall& call) {
  if (!call.principal.attempt.has_value()) {
    return absl::PermissionDeniedError(
        "only the program of a trial reports, with its attempt's token "
        "(VERNIER_REPORT_URL)");
  }
  const AttemptKey key = *call.principal.attempt;
  const auto before = store_.Snapshot();
  const auto study = before->find(key.study);
  if (study == before->end()) {
    return absl::NotFoundError("the attempt's job is gone");
  }
  if (!ListensToReports(*study->second->run->spec)) {
    return absl::FailedPreconditionError(
        "the job does not listen to reports: vernier.metricSources has no "
        "REPORT");
  }
  MetricLinesReader reader;
  FileReading reading = reader.Read(call.body, LastLine::kIsDone, clock_.Now());
  if (reading.has_more) {
    return absl::InvalidArgumentError(
        "a report must have at most 10000 values; send several");
  }
  if (reading.measurements.empty() && !reading.problems.empty()) {
    return absl::InvalidArgumentError(absl::StrJoin(reading.problems, "; "));
  }
  AddMeasurements change{key, std::move(reading.measurements)};
  for (Measurement& measurement : change.measurements) {
    measurement.road = MetricRoad::kReport;
  }
  // A client that has got no answer sends it again.
  change.may_be_repeated = true;
  if (!change.measurements.empty()) {
    VERNIER_RETURN_IF_ERROR(store_.Commit({std::move(change)}, clock_.Now()));
  }
  Json answer = Json::object();
  answer["shouldStop"] = ShouldStop(*store_.Snapshot(), key);
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
