#include "faces/messages/job_message.h"

#include <google/protobuf/util/json_util.h>

#include <cstdint>
#include <map>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/calls/call_meter.h"
#include "base/status_macros.h"
#include "faces/messages/output_only.h"
#include "faces/messages/proto_time.h"
#include "faces/messages/trial_counts.h"
#include "faces/messages/trial_message.h"
#include "study/parameter_object.h"
#include "study/search_space.h"
#include "trials/jobs/early_stopping_savings.h"
#include "trials/jobs/missing_objective.h"
#include "trials/jobs/waits_for.h"
#include "trials/results/best_trials.h"
#include "trials/results/time_left.h"

namespace vernier {
namespace {

// The API names its states as we do, and numbers them differently.
v1::Job::State StateToProto(JobState state) {
  v1::Job::State to = v1::Job::STATE_UNSPECIFIED;
  (void)v1::Job::State_Parse(std::string(ToString(state)), &to);
  return to;
}

/// Fills in the fields that the user gave. Our own parser wrote `json`, so it
/// fits the message; a key of a newer release is left out.
void SetSpec(const std::string& json, v1::Job* job) {
  google::protobuf::util::JsonParseOptions options;
  options.ignore_unknown_fields = true;
  (void)google::protobuf::util::JsonStringToMessage(json, job, options);
}

// Returns the state of a trial that has ended, in AI Platform's words, which
// has none for a trial that was cut short by a rule, or whose parameters are
// infeasible.
v1::Job::State EndInJob(TrialState state, TrialEndCause cause) {
  switch (state) {
    case TrialState::kCompleted:
      return v1::Job::SUCCEEDED;
    case TrialState::kStopped:
      return cause == TrialEndCause::kStoppedEarly ? v1::Job::SUCCEEDED
                                                   : v1::Job::CANCELLED;
    case TrialState::kInfeasible:
      // The program ended well, so AI Platform says SUCCEEDED and leaves the
      // final metric out.
      return cause == TrialEndCause::kNotFinite ? v1::Job::SUCCEEDED
                                                : v1::Job::FAILED;
    default:
      return v1::Job::FAILED;
  }
}

void SetTrial(const StudyRecord& job, const TrialRecord& from,
              v1::HyperparameterOutput* to) {
  to->set_trial_id(absl::StrCat(ToInt(from.id)));
  const std::vector<std::string> texts =
      FormatValues(job.spec->parameters, from.parameters);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    (*to->mutable_hyperparameters())[from.parameters[i].name] = texts[i];
  }
  if (from.final_measurement.has_value()) {
    auto* metric = to->mutable_final_metric();
    metric->set_training_step(from.final_measurement->step);
    metric->set_objective_value(from.final_measurement->value);
  }
  to->set_is_trial_stopped_early(from.end_cause ==
                                 TrialEndCause::kStoppedEarly);
  if (from.started_at) {
    *to->mutable_start_time() = ToProto(*from.started_at);
  }
  if (from.ended_at) *to->mutable_end_time() = ToProto(*from.ended_at);
  to->set_state(TrialStateInJob(from));
}

void SetOutput(JobRef job, TrialsInJob trials, v1::TrainingOutput* output) {
  const auto& tuning = job.run().spec->training_input.hyperparameters;
  output->set_is_hyperparameter_tuning_job(true);
  output->set_hyperparameter_metric_tag(tuning->metric_tag);
  std::int64_t completed = 0;
  for (std::size_t i = 1; i <= job->trials.size(); ++i) {
    const TrialBrief trial =
        job->trials.Brief(TrialId(static_cast<std::int64_t>(i)));
    completed += IsTerminal(trial.state) &&
                 EndInJob(trial.state, trial.end_cause) == v1::Job::SUCCEEDED;
  }
  output->set_completed_trial_count(completed);
  if (trials == TrialsInJob::kWithout) return;
  output->mutable_trials()->Reserve(static_cast<int>(job->trials.size()));
  for (TrialId id : BestFirst(job)) {
    SetTrial(job, *job->trials.Share(id), output->add_trials());
  }
}

void AddVersion(int number, Timestamp at, const std::string& changes,
                v1::VernierSection* section) {
  v1::JobVersion* to = section->add_versions();
  to->set_number(number);
  *to->mutable_create_time() = ToProto(at);
  to->set_changes(changes);
}

void SetVersions(JobRef job, v1::VernierSection* section) {
  if (job.run().earlier_versions.empty()) return;
  for (const auto& version : job.run().earlier_versions) {
    AddVersion(version->number, version->created_at, version->changes, section);
  }
  AddVersion(job.run().code_version, job.run().version_at,
             job.run().version_changes, section);
}

void SetVernier(JobRef job, const Hindrance& hindrance,
                v1::VernierSection* section) {
  // The seed in use, whether drawn or given, so that the job can be repeated
  // with it.
  section->set_seed(static_cast<std::int64_t>(job->seed));
  section->set_wanted(
      absl::AsciiStrToUpper(std::string(ToString(job.run().wanted))));
  section->set_waiting_for(JobWaitsFor(job, hindrance));
  for (const std::string& field : job.run().ignored_fields) {
    section->add_ignored_fields(field);
  }
  section->set_max_trials(job.run().max_trials);
  section->set_output_dir(OutputDirOf(job.run()));
  SetVersions(job, section);
  for (const auto& point : job->queued) {
    FillPoint(SearchSpaceOf(*job.run().spec), point->parameters,
              section->add_queued_points());
  }
  if (const auto savings = SavingsOf(job)) {
    v1::VernierSection::EarlyStopping* stopping =
        section->mutable_early_stopping();
    stopping->set_stopped_trials(savings->stopped_trials);
    stopping->set_saved_steps(savings->saved_steps);
    stopping->set_trained_steps(savings->trained_steps);
    stopping->set_text(DescribeSavings(*savings));
  }
  const TrialCounts counts = CountTrials(job);
  for (const auto& [state, count] : counts.by_state) {
    (*section->mutable_trial_counts())[std::string(ToString(state))] = count;
  }
  section->set_running_trials(counts.running);
  section->set_paused_trials(counts.paused);
}

// Returns the reason why the job ended or is paused; otherwise the problem that
// it has while it runs.
std::string ErrorMessageOf(JobRef job) {
  if (!job.run().error_message.empty() || IsTerminal(job.run().state)) {
    return job.run().error_message;
  }
  return job.run().wanted == JobWanted::kRun ? MissingObjectiveNote(job)
                                             : job.run().wanted_reason;
}

bool WaitsForRetry(const TrialRecord& trial) {
  return trial.attempts.empty() || IsTerminal(trial.attempts.back().state);
}

}  // namespace

v1::Job::State TrialStateInJob(const TrialRecord& trial) {
  switch (trial.state) {
    case TrialState::kRequested:
      return v1::Job::QUEUED;
    case TrialState::kActive:
      if (WaitsForRetry(trial)) return v1::Job::QUEUED;
      return trial.attempts.back().state == AttemptState::kRunning
                 ? v1::Job::RUNNING
                 : v1::Job::PREPARING;
    case TrialState::kStopping:
      return v1::Job::CANCELLING;
    case TrialState::kCompleted:
    case TrialState::kStopped:
    case TrialState::kInfeasible:
    case TrialState::kFailed:
      return EndInJob(trial.state, trial.end_cause);
  }
  return v1::Job::STATE_UNSPECIFIED;
}

absl::Status UseTrialsInCall(const StudySnapshot& study) {
  // Approximate sizes in the message and in its text.
  constexpr std::uint64_t kBytesOfTrial = 1000;
  constexpr std::uint64_t kBytesOfParameter = 250;
  return UseInCall(
      {std::ssize(study.trials),
       study.trials.size() * (kBytesOfTrial + study.spec->parameters.size() *
                                                  kBytesOfParameter)});
}

v1::Job ToProto(JobRef job, TrialsInJob trials, const Hindrance& hindrance,
                std::optional<Timestamp> now) {
  v1::Job proto;
  SetSpec(job.run().spec_json, &proto);
  proto.set_job_id(job->name);
  proto.clear_labels();
  for (const auto& [key, value] : job->labels) {
    (*proto.mutable_labels())[key] = value;
  }
  *proto.mutable_create_time() = ToProto(job->created_at);
  if (job.run().started_at)
    *proto.mutable_start_time() = ToProto(*job.run().started_at);
  if (job.run().ended_at)
    *proto.mutable_end_time() = ToProto(*job.run().ended_at);
  proto.set_state(StateToProto(job.run().state));
  proto.set_error_message(ErrorMessageOf(job));
  if (job.run().spec->training_input.hyperparameters.has_value()) {
    SetOutput(job, trials, proto.mutable_training_output());
  }
  proto.set_etag(absl::StrCat(job->version));
  SetVernier(job, hindrance, proto.mutable_vernier());
  const auto left = now.has_value() ? TimeLeft(job, *now) : std::nullopt;
  if (left.has_value()) {
    proto.mutable_vernier()->mutable_time_left()->set_seconds(left->count());
  }
  return proto;
}

v1::Job ToProto(const ParsedJob& job) {
  v1::Job proto;
  SetSpec(job.json, &proto);
  for (const std::string& field : job.ignored_fields) {
    proto.mutable_vernier()->add_ignored_fields(field);
  }
  return proto;
}

void FillPoint(const std::vector<ParameterSpec>& space, const Parameters& point,
               google::protobuf::Struct* to) {
  // Our own JSON of numbers and texts always fits.
  (void)google::protobuf::util::JsonStringToMessage(
      ParametersToObject(space, point), to);
}

absl::StatusOr<std::string> PrintPoint(const google::protobuf::Struct& point) {
  std::string json;
  const auto printed =
      google::protobuf::util::MessageToJsonString(point, &json);
  if (!printed.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "point is not printable as JSON: ", std::string(printed.message())));
  }
  return json;
}

absl::StatusOr<ParsedJob> FromProto(const v1::Job& job) {
  v1::Job input = job;
  ClearOutputs(&input);
  input.clear_etag();  // The call's, and no part of the job.
  std::string json;
  const auto printed =
      google::protobuf::util::MessageToJsonString(input, &json);
  if (!printed.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "job is not printable as JSON: ", std::string(printed.message())));
  }
  return ParseJob(json, ParseJobOptions{});
}

}  // namespace vernier
