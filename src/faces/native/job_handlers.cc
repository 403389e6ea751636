#include "faces/native/job_handlers.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "access/request_names.h"
#include "base/status_macros.h"
#include "base/version.h"
#include "base/whole_number.h"
#include "cluster/attempt/launch_phase.h"
#include "cluster/gang/trial_command_line.h"
#include "faces/messages/job_list.h"
#include "faces/messages/job_message.h"
#include "faces/messages/message_cost.h"
#include "faces/messages/trial_message.h"
#include "store/study_kinds.h"
#include "store/study_names.h"
#include "study/devices/device_lease.h"
#include "study/job_id.h"
#include "trials/clients/study_activity.h"
#include "trials/jobs/explain.h"
#include "trials/jobs/orchestrator.h"
#include "trials/request_id.h"
#include "trials/trial_keys.h"
#include "trials/trial_query.h"

namespace vernier {
namespace {

constexpr int kDefaultMeasurements = 10000;
constexpr int kMostMeasurements = 100000;

absl::Status Fill(const JobService::Answer& answer, v1::Job* response) {
  VERNIER_RETURN_IF_ERROR(answer.status());
  *response = ToProto(JobOf(**answer), TrialsInJob::kWithout);
  return absl::OkStatus();
}

// Returns a line about the phase of a trial's start that only its supervisor
// knows, or "".
std::string LaunchPhases(const StudySnapshot& study, const TrialRecord& trial) {
  const auto job = AsJob(study);
  if (!job.has_value() || trial.attempts.empty()) return "";
  const AttemptRecord& attempt = trial.attempts.back();
  if (IsTerminal(attempt.state) || attempt.running_at) return "";
  const std::string phase =
      LaunchPhaseOf(AttemptDir(*job, {study.id, trial.id, attempt.number}));
  if (phase.empty()) return "";
  return absl::StrCat("Trial ", ToInt(trial.id), " is ", phase, ".\n");
}

absl::StatusOr<const TrialRecord*> FindTrial(const StudySnapshot& study,
                                             std::int64_t trial) {
  VERNIER_RETURN_IF_ERROR(
      CheckHasTrial(study, absl::StrCat("job ", study.name), trial));
  if (IsDeleted(study.trials.Brief(TrialId(trial)))) {
    return absl::NotFoundError(
        absl::StrCat("trial ", trial, " of ", study.name, " was deleted"));
  }
  return &study.trials.Get(TrialId(trial));
}

}  // namespace

JobHandlers::JobHandlers(const Dependencies& dependencies, Options options)
    : dependencies_(dependencies), options_(std::move(options)) {}

absl::Status JobHandlers::CreateJob(const v1::CreateJobRequest& request,
                                    v1::Job* response) {
  VERNIER_ASSIGN_OR_RETURN(ParsedJob job, FromProto(request.job()));
  job.secrets.insert(request.secrets().begin(), request.secrets().end());
  const std::string project = ProjectOrDefault(request.project());
  if (request.validate_only()) {
    VERNIER_RETURN_IF_ERROR(CheckRequestId(request.request_id()));
    VERNIER_ASSIGN_OR_RETURN(const ParsedJob merged,
                             dependencies_.jobs.ValidateJob(job, project));
    *response = ToProto(merged);
    return absl::OkStatus();
  }
  return Fill(dependencies_.jobs.CreateJob(job, request.request_id(), project),
              response);
}

absl::Status JobHandlers::GetJob(const v1::GetJobRequest& request,
                                 v1::Job* response) {
  VERNIER_ASSIGN_OR_RETURN(const auto study,
                           dependencies_.jobs.GetJob(request.job_id()));
  if (!request.without_trials()) {
    VERNIER_RETURN_IF_ERROR(UseTrialsInCall(*study));
  }
  const JobRef job = JobOf(*study);
  *response = ToProto(
      job,
      request.without_trials() ? TrialsInJob::kWithout : TrialsInJob::kWith,
      dependencies_.hindrances.Of(study->id), dependencies_.clock.Now());
  const JobSpec& spec = *job.run().spec;
  if (!spec.training_input.python_module.empty()) {
    response->mutable_vernier()->set_python_interpreter(
        ChooseInterpreter(options_.interpreters, spec));
  }
  return absl::OkStatus();
}

absl::Status JobHandlers::ListJobs(const v1::ListJobsRequest& request,
                                   v1::ListJobsResponse* response) {
  return vernier::ListJobs(*dependencies_.store.Snapshot(),
                           dependencies_.hindrances, dependencies_.clock.Now(),
                           request, response);
}

absl::Status JobHandlers::CancelJob(const v1::CancelJobRequest& request,
                                    v1::Job* response) {
  return Fill(dependencies_.jobs.CancelJob(request.job_id()), response);
}

absl::Status JobHandlers::PauseJob(const v1::PauseJobRequest& request,
                                   v1::Job* response) {
  return Fill(dependencies_.jobs.PauseJob(
                  request.job_id(), "paused by the user",
                  request.preempt() ? JobService::Running::kIsPreempted
                                    : JobService::Running::kGoesOn),
              response);
}

absl::Status JobHandlers::ResumeJob(const v1::ResumeJobRequest& request,
                                    v1::Job* response) {
  return Fill(dependencies_.jobs.ResumeJob(request.job_id()), response);
}

absl::Status JobHandlers::ExtendJob(const v1::ExtendJobRequest& request,
                                    v1::Job* response) {
  return Fill(
      dependencies_.jobs.ExtendJob(request.job_id(), request.max_trials()),
      response);
}

absl::Status JobHandlers::AddTrials(const v1::AddTrialsRequest& request,
                                    v1::Job* response) {
  std::vector<std::string> points;
  for (const google::protobuf::Struct& point : request.points()) {
    VERNIER_ASSIGN_OR_RETURN(points.emplace_back(), PrintPoint(point));
  }
  return Fill(dependencies_.jobs.AddTrials(request.job_id(), points,
                                           request.request_id()),
              response);
}

absl::Status JobHandlers::ReviseJob(const v1::ReviseJobRequest& request,
                                    v1::ReviseJobResponse* response) {
  JobRevision asked;
  if (request.has_edit()) {
    if (request.has_job()) {
      return absl::InvalidArgumentError("give job or edit, not both");
    }
    VERNIER_ASSIGN_OR_RETURN(asked.edit, PrintPoint(request.edit()));
  }
  if (request.has_job()) {
    v1::Job job = request.job();
    if (job.job_id().empty()) {
      job.set_job_id(SplitJobId(request.job_id()).name);
    }
    VERNIER_ASSIGN_OR_RETURN(asked.job, FromProto(job));
    asked.job->secrets.insert(request.secrets().begin(),
                              request.secrets().end());
  }
  asked.code_dir = request.code_dir();
  asked.goes_on = request.goes_on();
  asked.restarts = request.restart();
  asked.validate_only = request.validate_only();
  asked.request_id = request.request_id();
  VERNIER_ASSIGN_OR_RETURN(
      const RevisedJob revised,
      dependencies_.jobs.ReviseJob(request.job_id(), asked));
  *response->mutable_job() =
      ToProto(JobOf(*revised.study), TrialsInJob::kWithout);
  for (const std::string& change : revised.changes) {
    response->add_changes(change);
  }
  response->set_code_version(JobOf(*revised.study).run().code_version);
  response->set_is_replaced(revised.is_replaced);
  response->set_restarted(revised.restarted);
  response->set_made_up_trials(revised.made_up_trials);
  response->set_has_more_trials(revised.has_more_trials);
  return absl::OkStatus();
}

absl::Status JobHandlers::DeleteJob(const v1::DeleteJobRequest& request,
                                    v1::DeleteJobResponse* response) {
  VERNIER_ASSIGN_OR_RETURN(const auto study,
                           dependencies_.jobs.GetJob(request.job_id()));
  VERNIER_ASSIGN_OR_RETURN(
      const OutputCount outputs,
      dependencies_.jobs.DeleteJob(request.job_id(),
                                   {.with_outputs = request.with_outputs(),
                                    .validate_only = request.validate_only()}));
  if (outputs.files == 0) return absl::OkStatus();
  response->set_output_files(outputs.files);
  response->set_output_bytes(outputs.bytes);
  response->set_is_lower_bound(outputs.is_cut);
  response->set_output_dir(JobOf(*study).run().run_dir);
  response->set_text(OutputText(outputs));
  return absl::OkStatus();
}

absl::Status JobHandlers::UpdateJob(const v1::UpdateJobRequest& request,
                                    v1::Job* response) {
  std::optional<std::int64_t> version;
  if (!request.etag().empty()) {
    VERNIER_ASSIGN_OR_RETURN(version, ParseGivenNumber(request.etag(), "etag"));
  }
  const std::map<std::string, std::string> labels(request.labels().begin(),
                                                  request.labels().end());
  return Fill(
      dependencies_.jobs.UpdateLabels(request.job_id(), labels, version),
      response);
}

absl::Status JobHandlers::StopTrial(const v1::StopTrialRequest& request,
                                    v1::Trial* response) {
  VERNIER_ASSIGN_OR_RETURN(const auto study,
                           dependencies_.jobs.StopTrial(
                               request.job_id(), TrialId(request.trial_id())));
  *response = ToProto(*study, study->trials.Get(TrialId(request.trial_id())));
  return absl::OkStatus();
}

absl::Status JobHandlers::GetTrial(const v1::GetTrialRequest& request,
                                   v1::Trial* response) {
  VERNIER_ASSIGN_OR_RETURN(const auto study, Find(request.job_id()));
  VERNIER_ASSIGN_OR_RETURN(const TrialRecord* trial,
                           FindTrial(*study, request.trial_id()));
  *response = ToProto(*study, *trial);
  if (const auto point = PointMeanOf(*study, trial->id)) {
    *response->mutable_point() = ToProto(*point);
  }
  return absl::OkStatus();
}

absl::Status JobHandlers::ListTrials(const v1::ListTrialsRequest& request,
                                     v1::ListTrialsResponse* response) {
  VERNIER_ASSIGN_OR_RETURN(const auto study, Find(request.job_id()));
  VERNIER_ASSIGN_OR_RETURN(const std::vector<TrialId> trials,
                           SelectTrials(*study, {.filter = request.filter(),
                                                 .sort = request.sort(),
                                                 .limit = request.limit()}));
  for (TrialId trial : trials) {
    v1::Trial* const added = response->add_trials();
    *added = ToProto(*study, *study->trials.Share(trial));
    VERNIER_RETURN_IF_ERROR(UseInCall(*added));
  }
  return absl::OkStatus();
}

absl::Status JobHandlers::ListMeasurements(
    const v1::ListMeasurementsRequest& request,
    v1::ListMeasurementsResponse* response) {
  if (request.limit() < 0 || request.limit() > kMostMeasurements) {
    return absl::InvalidArgumentError(absl::StrCat(
        "limit must be 0 .. ", kMostMeasurements, ": ", request.limit()));
  }
  VERNIER_ASSIGN_OR_RETURN(const auto study, Find(request.job_id()));
  VERNIER_ASSIGN_OR_RETURN(const TrialRecord* trial,
                           FindTrial(*study, request.trial_id()));
  const int limit =
      request.limit() == 0 ? kDefaultMeasurements : request.limit();
  VERNIER_ASSIGN_OR_RETURN(const std::vector<Measurement> measurements,
                           dependencies_.store.ListMeasurements(
                               study->id, trial->id, request.metric(),
                               static_cast<std::size_t>(limit)));
  if (measurements.empty() && !request.metric().empty()) {
    VERNIER_RETURN_IF_ERROR(CheckHasMetric(*study, *trial, request.metric()));
  }
  for (const Measurement& measurement : measurements) {
    *response->add_measurements() = ToProto(measurement);
  }
  return absl::OkStatus();
}

absl::Status JobHandlers::GetTrialCommand(
    const v1::GetTrialCommandRequest& request,
    v1::GetTrialCommandResponse* response) {
  VERNIER_ASSIGN_OR_RETURN(const auto study,
                           dependencies_.jobs.GetJob(request.job_id()));
  VERNIER_ASSIGN_OR_RETURN(const TrialRecord* trial,
                           FindTrial(*study, request.trial_id()));
  if (trial->attempts.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("trial ", request.trial_id(), " of job ", study->name,
                     " has not been started yet"));
  }
  absl::StatusOr<TrialCommandLine> command = CommandLineOf(
      AttemptDir(JobOf(*study),
                 {study->id, trial->id, trial->attempts.back().number}),
      environ);
  if (absl::IsNotFound(command.status())) {
    return absl::FailedPreconditionError(
        absl::StrCat("the record of how trial ", request.trial_id(), " of job ",
                     study->name, " was started is not there: ",
                     std::string(command.status().message())));
  }
  VERNIER_RETURN_IF_ERROR(command.status());
  response->set_line(std::move(command->line));
  response->set_note(std::move(command->note));
  return absl::OkStatus();
}

absl::Status JobHandlers::RecommendTrial(
    const v1::RecommendTrialRequest& request,
    v1::RecommendTrialResponse* response) {
  VERNIER_ASSIGN_OR_RETURN(const auto study, Find(request.job_id()));
  VERNIER_ASSIGN_OR_RETURN(
      const ResultModels::Recommended answer,
      dependencies_.models.Recommend(
          *study, request.only_if_ready() ? Patience::kNone : Patience::kWait));
  if (!answer.is_ready) {
    response->set_not_ready(true);
    return absl::OkStatus();
  }
  const std::optional<RecommendedTrial>& recommended = answer.trial;
  if (!recommended.has_value()) {
    return absl::NotFoundError(absl::StrCat(
        "no trial of job ", request.job_id(), " has a value to rely on"));
  }
  response->set_trial_id(ToInt(recommended->trial));
  if (recommended->prediction.has_value()) {
    *response->mutable_prediction() = ToProto(*recommended->prediction);
  }
  if (const auto point = PointMeanOf(*study, recommended->trial)) {
    *response->mutable_point() = ToProto(*point);
  }
  return absl::OkStatus();
}

namespace {

// Returns the time since anybody worked on a study that clients run.
std::optional<std::chrono::microseconds> IdleFor(
    const StudySnapshot& study, Timestamp now, const PresenceOf& presence_of) {
  const auto client = AsClientStudy(study);
  if (!client.has_value()) return std::nullopt;
  const StudyWork work = WorkOn(*client, now, presence_of);
  if (!work.idle_since.has_value()) return std::nullopt;
  return now - *work.idle_since;
}

}  // namespace

absl::Status JobHandlers::Explain(const v1::ExplainRequest& request,
                                  v1::ExplainResponse* response) {
  VERNIER_ASSIGN_OR_RETURN(const auto study, Find(request.job_id()));
  if (request.trial_id() == 0) {
    std::string text = ExplainJob(
        *study, dependencies_.hindrances.Of(study->id),
        IdleFor(*study, dependencies_.clock.Now(), dependencies_.presence_of));
    for (const TrialId trial : study->open) {
      text += LaunchPhases(*study, study->trials.Get(trial));
    }
    for (const std::string& note : options_.notes) {
      absl::StrAppend(&text, "When the service started, ", note, ".\n");
    }
    response->set_text(text);
    return absl::OkStatus();
  }
  VERNIER_ASSIGN_OR_RETURN(const TrialRecord* trial,
                           FindTrial(*study, request.trial_id()));
  response->set_text(
      ExplainTrial(*study, *trial, dependencies_.hindrances.Of(study->id)) +
      LaunchPhases(*study, *trial));
  return absl::OkStatus();
}

absl::Status JobHandlers::GetServiceInfo(
    const v1::GetServiceInfoRequest& request, v1::ServiceInfo* response) {
  response->set_version(kVersion);
  response->set_data_dir(options_.data_dir);
  response->set_process_id(getpid());
  std::map<std::string, std::set<std::string>> holders;  // By device.
  int open_jobs = 0;
  const auto snapshot = dependencies_.store.Snapshot();
  for (const auto& [id, study] : *snapshot) {
    const auto job = AsJob(*study);
    if (!job.has_value()) continue;
    const bool is_told =
        request.project().empty() || request.project() == ProjectOf(*study);
    open_jobs += is_told && !IsTerminal(job->run().state);
    for (TrialId trial_id : study->open) {
      const TrialRecord& trial = study->trials.Get(trial_id);
      for (const AttemptRecord& attempt : trial.attempts) {
        if (IsTerminal(attempt.state)) continue;
        for (const DeviceId& lease : attempt.devices) {
          holders[ParseDeviceLease(lease).device].insert(
              is_told ? absl::StrCat("job ", study->name, " trial ",
                                     ToInt(trial_id))
                      : "another project");
        }
      }
    }
  }
  const std::vector<UnusableDevice> troubles =
      options_.device_troubles ? options_.device_troubles()
                               : std::vector<UnusableDevice>();
  for (const Device& device : options_.devices) {
    v1::ServiceInfo::Device* to = response->add_devices();
    to->set_id(device.id);
    to->set_model(device.model);
    to->set_memory_bytes(device.memory_bytes);
    to->set_leased_by(absl::StrJoin(holders[device.id], ", "));
    to->set_parent(device.parent);
    for (const std::string& link : device.links) to->add_links(link);
    for (const UnusableDevice& trouble : troubles) {
      if (trouble.id != device.id) continue;
      to->set_unusable_because(trouble.reason);
      to->set_sick(trouble.is_sick);
    }
  }
  response->set_open_jobs(open_jobs);
  response->set_http_url(options_.http_url);
  response->set_max_concurrent_replicas(options_.max_concurrent_replicas);
  response->set_waiting_for(dependencies_.hindrances.Trouble());
  for (const std::string& note : options_.notes) response->add_notes(note);
  if (!request.project().empty() || !options_.code_copies) {
    return absl::OkStatus();
  }
  for (const CodeCopy& copy : options_.code_copies()) {
    auto* to = response->add_code_copies();
    to->set_folder(copy.folder);
    to->set_files(copy.files);
    to->set_of_files(copy.of_files);
  }
  return absl::OkStatus();
}

}  // namespace vernier
