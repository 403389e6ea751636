#include "trials/client_trial_changes.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/shown_text.h"
#include "base/stable_digest.h"
#include "base/status_macros.h"
#include "store/events/event_payload.h"
#include "store/metric_names.h"
#include "store/metric_summary.h"
#include "study/parameter_arrangement.h"
#include "study/unknown_metric.h"
#include "suggest/space/constrained_space.h"
#include "suggest/space/space_membership.h"

namespace vernier {
namespace {

// Returns a digest of everything that the request says, to compare it with
// another one.
std::uint64_t DigestOf(const TrialRequest& request) {
  std::string text = absl::StrCat(static_cast<int>(request.state),
                                  ParametersToJson(request.parameters),
                                  MetricReportsToJson(request.reports));
  if (request.final_report.has_value()) {
    text += MetricReportsToJson({*request.final_report});
  }
  absl::StrAppend(&text, request.infeasible_reason.size(),
                  request.infeasible_reason);
  for (const auto& [key, value] : request.metadata) {
    for (const std::string& part : {key.first, key.second, value.value}) {
      absl::StrAppend(&text, part.size(), ":", part);
    }
  }
  return StableDigest(text);
}

// Returns the first value of one of the study's metrics that is not finite;
// null if there is none.
const MetricValue* FindNotFinite(const StudySpec& study,
                                 const MetricReport& report) {
  for (const MetricValue& one : report.metrics) {
    if (!std::isfinite(one.value) &&
        GoalOfNeeded(study, one.metric).has_value()) {
      return &one;
    }
  }
  return nullptr;
}

// Appends everything that happens to a trial which has ended already.
absl::Status AppendLife(const StudySnapshot& study, TrialId id,
                        const TrialRequest& request, Timestamp now,
                        std::vector<Change>* changes) {
  changes->push_back(AssignTrial{study.id, id, ""});
  // The reports are one microsecond apart, so that they keep their order.
  Timestamp at = now;
  for (const MetricReport& report : request.reports) {
    changes->push_back(
        AddMeasurements{ReporterOf(study.id, id), MeasurementsOf(report, at)});
    at += std::chrono::microseconds(1);
  }
  const bool is_infeasible = request.state == TrialState::kInfeasible;
  if (request.final_report.has_value()) {
    VERNIER_RETURN_IF_ERROR(
        is_infeasible ? CheckReport(*request.final_report)
                      : CheckFinalReport(*study.spec, *request.final_report));
  } else if (!is_infeasible) {
    return absl::InvalidArgumentError(
        "a trial that has ended well needs a final measurement");
  }
  TrialRecord trial;  // The trial as it is when it ends.
  trial.id = id;
  trial.state = TrialState::kActive;
  if (request.state == TrialState::kStopped) {
    trial.state = TrialState::kStopping;
    trial.message = kStoppedByClientReason;
    changes->push_back(MoveTrial{study.id, id, TrialEvent::kRequestStop,
                                 TrialEndCause::kNone, trial.message,
                                 std::nullopt});
  }
  changes->push_back(CompleteTrialChange(
      study, trial,
      {request.final_report, is_infeasible, request.infeasible_reason}));
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckReport(const MetricReport& report) {
  if (report.metrics.empty()) {
    return absl::InvalidArgumentError("a measurement needs a metric");
  }
  std::set<std::string> names;
  for (const MetricValue& one : report.metrics) {
    if (one.metric.empty() || !names.insert(one.metric).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("the metrics of a measurement must have distinct names: "
                       "\"",
                       ShowText(one.metric), "\""));
    }
    if (one.metric.size() > kMaxMetricName) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the name of a metric must have at most ", kMaxMetricName,
          " bytes: ", one.metric.size(), " in \"", ShowText(one.metric), "\""));
    }
  }
  if (names.size() > kMaxMetricsSeen) {
    return absl::InvalidArgumentError(
        absl::StrCat("a measurement must have at most ", kMaxMetricsSeen,
                     " metrics: ", names.size()));
  }
  return absl::OkStatus();
}

absl::Status CheckMetricsAreOfStudy(const StudySpec& study,
                                    const MetricReport& report) {
  const std::vector<std::string> names = NeededMetrics(study);
  const auto has = [&](std::string_view name) {
    return std::any_of(report.metrics.begin(), report.metrics.end(),
                       [&](const MetricValue& one) {
                         return NameOfReported(study, one.metric) == name;
                       });
  };
  if (std::all_of(names.begin(), names.end(), has)) return absl::OkStatus();
  for (const MetricValue& one : report.metrics) {
    if (std::find(names.begin(), names.end(),
                  NameOfReported(study, one.metric)) != names.end()) {
      continue;
    }
    return UnknownMetricError("the study", one.metric, names);
  }
  return absl::OkStatus();
}

absl::Status CheckFinalReport(const StudySpec& study,
                              const MetricReport& report) {
  VERNIER_RETURN_IF_ERROR(CheckReport(report));
  for (const MetricValue& one : report.metrics) {
    for (const MetricGoal& each : study.metrics) {
      if (one.metric == each.name) return absl::OkStatus();
    }
  }
  return CheckMetricsAreOfStudy(study, report);
}

std::string RequestKeyOf(StudyId study, const std::string& request_id) {
  return absl::StrCat("study ", ToInt(study), " trial ", request_id);
}

bool HasEndedSo(const TrialRecord& trial, const TrialCompletion& completion) {
  if (completion.is_infeasible) {
    return trial.state == TrialState::kInfeasible &&
           trial.message == completion.infeasible_reason;
  }
  const std::optional<MetricReport>& end = trial.final_report;
  if (!IsTerminal(trial.state) || !end.has_value()) return false;
  const std::optional<MetricReport>& wanted = completion.final_report;
  return !wanted.has_value() ||
         MetricReportsToJson({*wanted}) == MetricReportsToJson({*end});
}

bool IsRunning(const TrialRecord& trial) {
  return trial.state == TrialState::kActive ||
         trial.state == TrialState::kStopping;
}

std::vector<Measurement> MeasurementsOf(const MetricReport& report,
                                        Timestamp now) {
  std::vector<Measurement> measurements;
  for (const MetricValue& one : report.metrics) {
    measurements.push_back(
        {one.metric, report.step, now, one.value, report.elapsed});
  }
  return measurements;
}

absl::StatusOr<std::vector<Change>> CreateTrialChanges(
    const StudySnapshot& study, const TrialRequest& asked, Timestamp now) {
  TrialRequest request = asked;
  for (MetricReport& report : request.reports) {
    report = AsReported(*study.spec, std::move(report));
  }
  if (request.final_report.has_value()) {
    request.final_report = AsReported(*study.spec, *request.final_report);
  }
  const auto& space = study.spec->parameters;
  VERNIER_ASSIGN_OR_RETURN(const Parameters parameters,
                           ArrangeParameters(space, request.parameters));
  VERNIER_RETURN_IF_ERROR(CheckFitsSpace(space, parameters));
  VERNIER_RETURN_IF_ERROR(
      CheckMeetsConstraints(study.spec->parameter_constraints, parameters));
  const StudyId id = study.id;
  const TrialId trial{static_cast<std::int64_t>(study.trials.size()) + 1};
  SuggestionRecord record;
  record.method = SuggestionMethod::kUser;
  CreateTrials create{
      id, {{parameters, {"USER", study.last_event, record}, {}}}, trial};
  if (!request.request_id.empty()) {
    create.request_id = RequestKeyOf(id, request.request_id);
    create.request_digest = DigestOf(asked);
  }
  for (const MetricReport& report : request.reports) {
    VERNIER_RETURN_IF_ERROR(CheckReport(report));
  }
  if (request.state == TrialState::kRequested) {
    // No client runs it yet that could report them.
    create.trials[0].brought = request.reports;
  }
  std::vector<Change> changes = {std::move(create)};
  if (request.state != TrialState::kRequested) {
    VERNIER_RETURN_IF_ERROR(AppendLife(study, trial, request, now, &changes));
  }
  if (!request.metadata.empty()) {
    vernier::UpdateMetadata metadata{id, {}};
    for (const auto& [key, value] : request.metadata) {
      metadata.updates.push_back({trial, key, value});
    }
    changes.push_back(std::move(metadata));
  }
  return changes;
}

MoveTrial CompleteTrialChange(const StudySnapshot& study,
                              const TrialRecord& trial,
                              const TrialCompletion& completion) {
  MoveTrial move{study.id,
                 trial.id,
                 TrialEvent::kReportFinal,
                 TrialEndCause::kNoMetric,
                 "",
                 std::nullopt,
                 completion.final_report};
  if (completion.is_infeasible) {
    move.event = TrialEvent::kReportInfeasible;
    move.cause = TrialEndCause::kInfeasible;
    move.message = completion.infeasible_reason;
    return move;
  }
  if (!completion.final_report.has_value()) return move;
  if (const auto* bad = FindNotFinite(*study.spec, *completion.final_report)) {
    move.event = TrialEvent::kReportInfeasible;
    move.cause = TrialEndCause::kNotFinite;
    move.message = absl::StrCat("its last value of ", ShowText(bad->metric),
                                " was ", NumberText(bad->value));
    if (const std::int64_t step = completion.final_report->step; step != 0) {
      absl::StrAppend(&move.message, " at step ", step);
    }
    return move;
  }
  const std::string& objective = ObjectiveOf(*study.spec).name;
  for (const MetricValue& one : completion.final_report->metrics) {
    if (one.metric != objective) continue;
    move.final_measurement =
        FinalMeasurement{completion.final_report->step, one.value};
    move.cause = TrialEndCause::kSuccess;
  }
  // A client that stops a trial, or is told to, cuts its training short.
  if (trial.state == TrialState::kStopping) {
    move.event = TrialEvent::kConfirmStop;
    move.cause = TrialEndCause::kStoppedEarly;
    move.message = trial.message;
  }
  return move;
}

std::vector<Change> DeleteTrialChanges(const StudySnapshot& study,
                                       const TrialRecord& trial) {
  const StudyId id = study.id;
  std::vector<Change> changes;
  const auto move = [&](TrialEvent event) {
    changes.push_back(MoveTrial{id, trial.id, event, TrialEndCause::kCancelled,
                                "deleted", std::nullopt});
  };
  if (!IsTerminal(trial.state) && trial.state != TrialState::kStopping) {
    move(TrialEvent::kRequestStop);
  }
  if (IsRunning(trial)) move(TrialEvent::kConfirmStop);
  changes.push_back(DeleteTrial{id, trial.id});
  return changes;
}

}  // namespace vernier
