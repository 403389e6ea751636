#include "faces/native/study_handlers.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/nearest_name.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "faces/messages/insights_message.h"
#include "faces/messages/job_message.h"
#include "faces/messages/message_cost.h"
#include "faces/messages/proto_time.h"
#include "faces/messages/trial_counts.h"
#include "faces/messages/trial_message.h"
#include "study/algorithm_name.h"
#include "study/stopping/stopping_rule_name.h"
#include "trials/engine/waiting_proposals.h"
#include "trials/request_id.h"
#include "trials/results/best_trials.h"
#include "trials/results/front.h"
#include "trials/submission/study_revision.h"
#include "trials/user_attributes.h"

namespace vernier {
namespace {

static_assert(static_cast<int>(StudyState::kActive) == v1::Study::ACTIVE);
static_assert(static_cast<int>(StudyState::kInactive) == v1::Study::INACTIVE);
static_assert(static_cast<int>(StudyState::kCompleted) == v1::Study::COMPLETED);

static_assert(static_cast<int>(ClientPresence::kRuns) + 1 ==
              v1::Study::Worker::RUNS);
static_assert(static_cast<int>(ClientPresence::kGone) + 1 ==
              v1::Study::Worker::GONE);
static_assert(static_cast<int>(ClientPresence::kNotKnown) + 1 ==
              v1::Study::Worker::NOT_KNOWN);

constexpr std::size_t kMostWorkers = 20;
constexpr std::size_t kMostReasonBytes = 1024;
constexpr int kMostClientTrials = 10'000;

void AddMetric(const std::string& name, Goal goal, v1::Study* study) {
  v1::Study::Metric* metric = study->add_metrics();
  metric->set_name(name);
  metric->set_goal(goal == Goal::kMinimize ? "MINIMIZE" : "MAXIMIZE");
}

// Returns the index of one of the study's metrics; an empty name means the
// first.
absl::StatusOr<std::size_t> NumberOfMetric(const StudySpec& spec,
                                           const std::string& name) {
  if (name.empty()) return 0;
  std::vector<std::string_view> names;
  std::string listed;
  for (const MetricGoal& metric : spec.metrics) {
    if (metric.name == name) return names.size();
    absl::StrAppend(&listed, names.empty() ? "" : ", ", metric.name);
    names.push_back(metric.name);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("metric must be one of the study's (", listed, "), not ",
                   ShowText(name), DidYouMean(name, names)));
}

void SetRunner(const StudySnapshot& study, v1::Study* to) {
  if (const auto job = AsJob(study)) {
    to->set_state(IsFinishedJob(study) ? v1::Study::COMPLETED
                                       : v1::Study::ACTIVE);
    to->set_state_reason(job->run().error_message);
  } else {
    const ClientRun& run = ClientStudyOf(study).run();
    to->set_run_by_clients(true);
    to->set_state(static_cast<v1::Study::State>(run.state));
    to->set_state_reason(run.state_reason);
  }
  if (study.spec->parameters.empty()) return;
  for (const MetricGoal& metric : study.spec->metrics) {
    AddMetric(metric.name, metric.goal, to);
  }
  to->set_stopping_rule(std::string(ToString(study.spec->stopping_rule)));
  for (const ParameterConstraint& each : study.spec->parameter_constraints) {
    to->add_parameter_constraints(each.text);
  }
  for (const OutcomeConstraint& each : study.spec->constraints) {
    v1::VernierSection::MetricConstraint* one = to->add_metric_constraints();
    one->set_metric(each.metric);
    if (each.min.has_value()) one->set_min(*each.min);
    if (each.max.has_value()) one->set_max(*each.max);
  }
}

void SetActivity(const StudyActivity& activity, v1::Study* to) {
  to->set_running_trial_count(activity.running);
  *to->mutable_last_activity_time() = ToProto(activity.last_activity);
  for (const StudyWorker& worker : activity.workers) {
    if (to->workers_size() == static_cast<int>(kMostWorkers)) break;
    v1::Study::Worker* one = to->add_workers();
    one->set_name(worker.name);
    one->set_presence(static_cast<v1::Study::Worker::Presence>(
        static_cast<int>(worker.presence) + 1));
    one->set_open_trial_count(worker.open_trials);
    *one->mutable_last_seen_time() = ToProto(worker.last_seen);
  }
}

void SetVersions(ClientStudyRef study, v1::Study* to) {
  if (study.run().edits.empty()) return;
  const auto add = [&](int number, Timestamp at, const std::string& changes) {
    v1::Study::Version* const version = to->add_versions();
    version->set_number(number);
    *version->mutable_create_time() = ToProto(at);
    version->set_changes(changes);
  };
  add(1, study->created_at, "");
  for (const auto& edit : study.run().edits) {
    add(edit->version, edit->at, edit->changes);
  }
}

v1::ClientTrial ToClientTrial(const TrialRecord& trial) {
  v1::ClientTrial to;
  to.set_trial_id(ToInt(trial.id));
  to.set_client_id(trial.client_id);
  if (trial.final_report.has_value()) {
    for (const MetricValue& one : trial.final_report->metrics) {
      (*to.mutable_final_metrics())[one.metric] = one.value;
    }
  }
  for (const auto& [name, value] : AttributesOf(trial.metadata)) {
    (*to.mutable_attributes())[name] = value;
  }
  return to;
}

// Returns the trial with this number; nullopt for 0.
std::optional<TrialId> TrialIn(std::int64_t number) {
  return number == 0 ? std::nullopt : std::optional(TrialId{number});
}

absl::Status IsOfJob(const StudySnapshot& study, const char* instead) {
  return absl::FailedPreconditionError(
      absl::StrCat("this is the study of job \"", study.name, "\"; ", instead));
}

}  // namespace

v1::Study ToProto(const StudySnapshot& study) {
  v1::Study to;
  to.set_study_id(ToInt(study.id));
  to.set_name(study.name);
  SetRunner(study, &to);
  if (!study.spec->parameters.empty()) {
    to.set_algorithm(AlgorithmName(study.spec->algorithm));
  }
  *to.mutable_create_time() = ToProto(study.created_at);
  to.set_trial_count(CountTrials(study).total);
  to.set_open_trial_count(static_cast<int>(study.open.size()));
  if (const TrialRecord* const best = BestTrial(study)) {
    *to.mutable_best_trial() = ToProto(study, *best);
  }
  if (const auto client = AsClientStudy(study)) SetVersions(*client, &to);
  to.set_seed(study.seed);
  to.set_note(study.note);
  for (const auto& [name, value] : AttributesOf(*study.metadata)) {
    (*to.mutable_attributes())[name] = value;
  }
  return to;
}

v1::Study StudyHandlers::Describe(const StudySnapshot& study) const {
  v1::Study to = ToProto(study);
  if (const auto client = AsClientStudy(study)) {
    const Timestamp now = dependencies_.clock.Now();
    const StudyActivity activity =
        ActivityOf(*client, now, dependencies_.presence_of);
    SetActivity(activity, &to);
    to.set_idle(IsIdle(*client, activity, now));
  }
  return to;
}

namespace {

void SetFront(const StudySnapshot& study, v1::Study* to) {
  constexpr int kMostTrials = 1000;
  const std::optional<Front> front = FrontOf(study);
  if (!front.has_value()) return;
  v1::Study::Front* const message = to->mutable_front();
  for (const TrialId id : front->trials) {
    if (message->trials_size() == kMostTrials) break;
    message->add_trials(ToInt(id));
  }
  if (front->knee.has_value()) message->set_knee_trial(ToInt(*front->knee));
  if (front->hypervolume.has_value()) {
    message->set_hypervolume(*front->hypervolume);
  }
  for (std::size_t k = 0; k < front->reference.size(); ++k) {
    (*message->mutable_reference())[study.spec->metrics[k].name] =
        front->reference[k];
  }
}

absl::Status SetProposedPoints(const StudySnapshot& study, v1::Study* to) {
  if (study.proposed.empty()) return absl::OkStatus();
  VERNIER_RETURN_IF_ERROR(UseInCall({std::ssize(study.trials), 0}));
  for (const Proposal& proposal : WaitingProposals(study)) {
    v1::Study::ProposedPoint* const point = to->add_proposed_points();
    point->set_source(proposal.source);
    FillPoint(study.spec->parameters, proposal.parameters,
              point->mutable_parameters());
  }
  return absl::OkStatus();
}

}  // namespace

bool StudyHandlers::IsWorkedOnNow(const StudySnapshot& study) const {
  const auto client = AsClientStudy(study);
  if (!client.has_value() || client->run().state != StudyState::kActive) {
    return false;
  }
  const Timestamp now = dependencies_.clock.Now();
  return IsWorkedOn(ActivityOf(*client, now, dependencies_.presence_of), now);
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
    if (request.only_worked_on() && !IsWorkedOnNow(*study->second)) continue;
    v1::Study* const added = response->add_studies();
    *added = Describe(*study->second);
    VERNIER_RETURN_IF_ERROR(UseInCall(*added));
  }
  return absl::OkStatus();
}

absl::Status StudyHandlers::GetStudy(const v1::GetStudyRequest& request,
                                     v1::Study* response) {
  VERNIER_ASSIGN_OR_RETURN(const auto study, Find(request.study()));
  *response = Describe(*study);
  if (study->spec->metrics.size() > 1) {
    VERNIER_RETURN_IF_ERROR(UseInCall({std::ssize(study->trials), 0}));
    SetFront(*study, response);
  }
  return SetProposedPoints(*study, response);
}

absl::Status StudyHandlers::DeleteStudy(const v1::DeleteStudyRequest& request,
                                        v1::DeleteStudyResponse* /*response*/) {
  VERNIER_ASSIGN_OR_RETURN(const auto study, Find(request.study()));
  if (IsJob(*study)) {
    return IsOfJob(*study, "delete the job");
  }
  return dependencies_.studies.DeleteStudy(study->name);
}

absl::Status StudyHandlers::WriteNote(const v1::WriteNoteRequest& request,
                                      v1::Study* response) {
  VERNIER_ASSIGN_OR_RETURN(const auto study, Find(request.study()));
  VERNIER_ASSIGN_OR_RETURN(
      const auto changed,
      dependencies_.studies.WriteNote(study->id, TrialIn(request.trial_id()),
                                      request.note()));
  *response = Describe(*changed);
  return absl::OkStatus();
}

absl::Status StudyHandlers::ListClientTrials(
    const v1::ListClientTrialsRequest& request,
    v1::ListClientTrialsResponse* response) {
  if (request.trial_ids_size() > kMostClientTrials) {
    return absl::InvalidArgumentError(absl::StrCat("trial_ids has at most ",
                                                   kMostClientTrials, ", not ",
                                                   request.trial_ids_size()));
  }
  VERNIER_ASSIGN_OR_RETURN(const auto study, Find(request.study()));
  const auto count = static_cast<std::int64_t>(study->trials.size());
  for (const std::int64_t id : request.trial_ids()) {
    if (id < 1 || id > count) continue;
    const std::shared_ptr<const TrialRecord> trial =
        study->trials.Share(TrialId{id});
    if (IsDeleted(*trial)) continue;
    auto* const added = response->add_trials();
    *added = ToClientTrial(*trial);
    VERNIER_RETURN_IF_ERROR(UseInCall(*added));
  }
  return absl::OkStatus();
}

absl::Status StudyHandlers::SetAttributes(
    const v1::SetAttributesRequest& request,
    v1::SetAttributesResponse* /*response*/) {
  VERNIER_ASSIGN_OR_RETURN(const auto study, Find(request.study()));
  return dependencies_.studies.SetAttributes(
      study->id, TrialIn(request.trial_id()),
      UserAttributes(request.attributes().begin(), request.attributes().end()));
}

absl::Status StudyHandlers::SetStudyState(
    const v1::SetStudyStateRequest& request, v1::Study* response) {
  VERNIER_ASSIGN_OR_RETURN(const auto study, Find(request.study()));
  if (IsJob(*study)) return IsOfJob(*study, "cancel the job");
  if (!v1::Study::State_IsValid(request.state()) ||
      request.state() == v1::Study::STATE_UNSPECIFIED) {
    return absl::InvalidArgumentError(
        "state must be ACTIVE, INACTIVE or COMPLETED");
  }
  if (request.reason().size() > kMostReasonBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("reason has at most ", kMostReasonBytes, " bytes, not ",
                     request.reason().size()));
  }
  VERNIER_ASSIGN_OR_RETURN(
      const auto changed,
      dependencies_.studies.SetState(study->name,
                                     static_cast<StudyState>(request.state()),
                                     request.reason()));
  *response = Describe(*changed);
  return absl::OkStatus();
}

absl::Status StudyHandlers::EditStudy(const v1::EditStudyRequest& request,
                                      v1::EditStudyResponse* response) {
  VERNIER_RETURN_IF_ERROR(CheckRequestId(request.request_id()));
  VERNIER_ASSIGN_OR_RETURN(auto study, Find(request.study()));
  if (IsJob(*study)) {
    return IsOfJob(*study, "edit the job (vernier jobs update, ReviseJob)");
  }
  StudyRevision asked;
  VERNIER_ASSIGN_OR_RETURN(asked.edit, PrintPoint(request.edit()));
  asked.client_data = request.client_data();
  asked.request_id = RequestIdIn(study->id, "edit", request.request_id());
  VERNIER_ASSIGN_OR_RETURN(const bool is_repeated,
                           WasAnswered(dependencies_.store, asked.request_id,
                                       {DigestOf(*study, asked)}));
  if (!is_repeated) {
    VERNIER_ASSIGN_OR_RETURN(const StudyRevisionPlan plan,
                             PlanStudyRevision(ClientStudyOf(*study), asked));
    for (const std::string& change : plan.changes) {
      response->add_changes(change);
    }
    if (!plan.changes.empty() && !request.validate_only()) {
      VERNIER_ASSIGN_OR_RETURN(study,
                               dependencies_.studies.Revise(plan.change));
    }
  }
  *response->mutable_study() = Describe(*study);
  response->set_version(SpecVersionOf(ClientStudyOf(*study).run()));
  return absl::OkStatus();
}

absl::Status StudyHandlers::ProposePoints(
    const v1::ProposePointsRequest& request, v1::Study* response) {
  VERNIER_ASSIGN_OR_RETURN(const auto study, Find(request.study()));
  ProposalRequest asked{study->id, request.source(), {}, request.request_id()};
  for (const google::protobuf::Struct& point : request.points()) {
    VERNIER_ASSIGN_OR_RETURN(asked.points.emplace_back(), PrintPoint(point));
  }
  VERNIER_ASSIGN_OR_RETURN(const auto changed,
                           dependencies_.studies.Propose(asked));
  *response = Describe(*changed);
  return SetProposedPoints(*changed, response);
}

absl::Status StudyHandlers::GetInsights(const v1::GetInsightsRequest& request,
                                        v1::Insights* response) {
  VERNIER_ASSIGN_OR_RETURN(const auto study, Find(request.study()));
  InsightsRequest asked;
  for (const v1::GetInsightsRequest::Pair& pair : request.contours()) {
    asked.contours.emplace_back(pair.first(), pair.second());
  }
  VERNIER_ASSIGN_OR_RETURN(const std::size_t metric,
                           NumberOfMetric(*study->spec, request.metric()));
  VERNIER_ASSIGN_OR_RETURN(const auto insights,
                           dependencies_.models.Examine(*study, asked, metric));
  *response = ToProto(*study, *insights);
  return absl::OkStatus();
}

}  // namespace vernier
