#include "faces/native/study_handlers.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "faces/messages/insights_message.h"
#include "faces/messages/proto_time.h"
#include "faces/messages/trial_message.h"
#include "study/algorithm_name.h"
#include "study/stopping/stopping_rule_name.h"
#include "trials/best_trials.h"
#include "trials/study_names.h"

namespace vernier {
namespace {

static_assert(static_cast<int>(StudyState::kActive) == v1::Study::ACTIVE);
static_assert(static_cast<int>(StudyState::kInactive) == v1::Study::INACTIVE);
static_assert(static_cast<int>(StudyState::kCompleted) == v1::Study::COMPLETED);

void AddMetric(const std::string& name, Goal goal, v1::Study* study) {
  v1::Study::Metric* metric = study->add_metrics();
  metric->set_name(name);
  metric->set_goal(goal == Goal::kMinimize ? "MINIMIZE" : "MAXIMIZE");
}

void SetRunner(const StudySnapshot& study, v1::Study* to) {
  if (study.run.has_value()) {
    to->set_state(IsFinishedJob(study) ? v1::Study::COMPLETED
                                       : v1::Study::ACTIVE);
    to->set_state_reason(study.run->error_message);
  } else {
    to->set_run_by_clients(true);
    to->set_state(static_cast<v1::Study::State>(study.state));
    to->set_state_reason(study.state_reason);
  }
  if (study.spec->parameters.empty()) return;
  for (const MetricGoal& metric : study.spec->metrics) {
    AddMetric(metric.name, metric.goal, to);
  }
  to->set_stopping_rule(std::string(ToString(study.spec->stopping_rule)));
}

}  // namespace

v1::Study ToProto(const StudySnapshot& study) {
  v1::Study to;
  to.set_study_id(ToInt(study.id));
  to.set_name(study.name);
  SetRunner(study, &to);
  if (!study.spec->parameters.empty()) {
    to.set_algorithm(AlgorithmName(EffectiveAlgorithm(*study.spec)));
  }
  *to.mutable_create_time() = ToProto(study.created_at);
  int trials = 0;
  ForEachTrial(study, [&trials](const TrialBrief& /*trial*/) { ++trials; });
  to.set_trial_count(trials);
  to.set_open_trial_count(static_cast<int>(study.open.size()));
  if (const TrialRecord* const best = BestTrial(study)) {
    *to.mutable_best_trial() = ToProto(study, *best);
  }
  to.set_seed(study.seed);
  to.set_note(study.note);
  return to;
}

absl::Status StudyHandlers::ListStudies(const v1::ListStudiesRequest& request,
                                        v1::ListStudiesResponse* response) {
  const auto snapshot = dependencies_.store.Snapshot();
  for (auto study = snapshot->rbegin(); study != snapshot->rend(); ++study) {
    if (!request.parent().empty() &&
        ParentOf(*study->second) != request.parent()) {
      continue;
    }
    if (!request.project().empty() &&
        ProjectOf(*study->second) != request.project()) {
      continue;
    }
    *response->add_studies() = ToProto(*study->second);
  }
  return absl::OkStatus();
}

absl::Status StudyHandlers::GetStudy(const v1::GetStudyRequest& request,
                                     v1::Study* response) {
  VERNIER_ASSIGN_OR_RETURN(
      const auto study,
      FindStudy(*dependencies_.store.Snapshot(), request.study()));
  *response = ToProto(*study);
  return absl::OkStatus();
}

absl::Status StudyHandlers::DeleteStudy(const v1::DeleteStudyRequest& request,
                                        v1::DeleteStudyResponse* /*response*/) {
  VERNIER_ASSIGN_OR_RETURN(
      const auto study,
      FindStudy(*dependencies_.store.Snapshot(), request.study()));
  if (study->run.has_value()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "this is the study of job \"", study->name, "\"; delete the job"));
  }
  return dependencies_.studies.DeleteStudy(study->name);
}

absl::Status StudyHandlers::WriteNote(const v1::WriteNoteRequest& request,
                                      v1::Study* response) {
  VERNIER_ASSIGN_OR_RETURN(
      const auto study,
      FindStudy(*dependencies_.store.Snapshot(), request.study()));
  VERNIER_ASSIGN_OR_RETURN(const auto changed, dependencies_.studies.WriteNote(
                                                   study->id, request.note()));
  *response = ToProto(*changed);
  return absl::OkStatus();
}

absl::Status StudyHandlers::GetInsights(const v1::GetInsightsRequest& request,
                                        v1::Insights* response) {
  VERNIER_ASSIGN_OR_RETURN(
      const auto study,
      FindStudy(*dependencies_.store.Snapshot(), request.study()));
  InsightsRequest asked;
  for (const v1::GetInsightsRequest::Pair& pair : request.contours()) {
    asked.contours.emplace_back(pair.first(), pair.second());
  }
  VERNIER_ASSIGN_OR_RETURN(const auto insights, insights_.Of(*study, asked));
  *response = ToProto(*study, *insights);
  return absl::OkStatus();
}

}  // namespace vernier
