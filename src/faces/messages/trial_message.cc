#include "faces/messages/trial_message.h"

#include <optional>
#include <variant>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "cluster/in_place_command.h"
#include "cluster/trial_environment.h"
#include "faces/messages/proto_time.h"
#include "study/parameter_value.h"
#include "study/search_space.h"
#include "study/words/event_words.h"
#include "trials/jobs/job_versions.h"
#include "trials/jobs/orchestrator.h"
#include "trials/jobs/waits_for.h"
#include "trials/results/best_trials.h"
#include "trials/results/final_values.h"
#include "trials/stopping/set_aside.h"
#include "trials/user_attributes.h"

namespace vernier {
namespace {

// The API's states have the same numbers as ours.
static_assert(static_cast<int>(TrialState::kRequested) == v1::Trial::REQUESTED);
static_assert(static_cast<int>(TrialState::kActive) == v1::Trial::ACTIVE);
static_assert(static_cast<int>(TrialState::kStopping) == v1::Trial::STOPPING);
static_assert(static_cast<int>(TrialState::kCompleted) == v1::Trial::COMPLETED);
static_assert(static_cast<int>(TrialState::kStopped) == v1::Trial::STOPPED);
static_assert(static_cast<int>(TrialState::kInfeasible) ==
              v1::Trial::INFEASIBLE);
static_assert(static_cast<int>(TrialState::kFailed) == v1::Trial::FAILED);
static_assert(static_cast<int>(AttemptState::kIntended) ==
              v1::Attempt::INTENDED);
static_assert(static_cast<int>(AttemptState::kLaunching) ==
              v1::Attempt::LAUNCHING);
static_assert(static_cast<int>(AttemptState::kRunning) == v1::Attempt::RUNNING);
static_assert(static_cast<int>(AttemptState::kExited) == v1::Attempt::EXITED);
static_assert(static_cast<int>(AttemptState::kKilled) == v1::Attempt::KILLED);
static_assert(static_cast<int>(AttemptState::kLost) == v1::Attempt::LOST);

void SetMeasurement(const std::optional<FinalMeasurement>& from,
                    v1::Trial::FinalMeasurement* to) {
  to->set_step(from->step);
  to->set_value(from->value);
}

std::string CauseName(TrialEndCause cause) {
  return cause == TrialEndCause::kNone ? "" : std::string(ToString(cause));
}

void SetAttempt(JobRef job, const TrialRecord& trial, const AttemptRecord& from,
                v1::Attempt* to) {
  to->set_number(from.number);
  to->set_state(static_cast<v1::Attempt::State>(from.state));
  *to->mutable_intend_time() = ToProto(from.intended_at);
  if (from.running_at) *to->mutable_start_time() = ToProto(*from.running_at);
  if (from.ended_at) *to->mutable_end_time() = ToProto(*from.ended_at);
  if (from.exit_code) to->set_exit_code(*from.exit_code);
  if (from.signal) to->set_signal(*from.signal);
  to->set_end_cause(CauseName(from.end_cause));
  to->set_message(from.message);
  for (const DeviceId& device : from.devices) to->add_devices(device);
  to->set_code_version(from.code_version);
  to->set_waiting_for(AttemptWaitsFor(from));
  if (!job.run().run_dir.empty()) {
    to->set_run_dir(AttemptDir(job, {job->id, trial.id, from.number}));
  }
}

void SetSuggestion(const SuggestionRecord& from, EventSequence seen_events,
                   v1::Trial::Suggestion* to) {
  to->set_method(std::string(MethodName(from.method)));
  to->set_completed_count(from.num_completed);
  to->set_pending_count(from.num_pending);
  to->set_fitted_count(from.num_fitted);
  if (from.prediction.has_value()) {
    *to->mutable_prediction() = ToProto(*from.prediction);
  }
  if (from.acquisition.has_value()) to->set_acquisition(*from.acquisition);
  to->set_fallback(from.fallback);
  to->set_instruction_set(from.instruction_set);
  to->set_seen_event_sequence(ToInt(seen_events));
  if (from.milliseconds.has_value()) to->set_milliseconds(*from.milliseconds);
  to->set_text(DescribeSuggestion(from));
  if (from.repeat.has_value()) {
    to->set_repeat_of(from.repeat->trial);
    to->set_repeat(from.repeat->number);
  }
  if (from.success_probability.has_value()) {
    to->set_success_probability(*from.success_probability);
  }
  for (const std::string& name : from.learned_from) to->add_learned_from(name);
  to->set_follows_beliefs(from.follows_beliefs);
  to->set_source(from.source);
}

}  // namespace

std::string JobDirOf(const StudySnapshot& study, const TrialRecord& trial) {
  const auto job = AsJob(study);
  if (!job.has_value()) return "";
  const TrainingInput& input = SpecRunBy(*job, trial).training_input;
  if (input.job_dir.empty() || !input.hyperparameters.has_value()) {
    return input.job_dir;
  }
  const char* slash = input.job_dir.back() == '/' ? "" : "/";
  return absl::StrCat(input.job_dir, slash, ToInt(trial.id));
}

std::string OutputDirOf(const JobRun& run) {
  const std::string& job_dir = run.spec->training_input.job_dir;
  if (!job_dir.empty()) return job_dir;
  std::string folder = InPlaceFolder(*run.spec);
  return folder.empty() ? run.run_dir : folder;
}

namespace {

// Sets the results besides the objective, and the verdict on the constraints.
void SetResults(const StudySnapshot& study, const TrialRecord& trial,
                v1::Trial* proto) {
  if (trial.final_report.has_value()) {
    for (const MetricValue& one : trial.final_report->metrics) {
      (*proto->mutable_final_metrics())[one.metric] = one.value;
    }
  }
  if (!HasEndValue(BriefOf(trial))) return;
  for (const std::string& one : BrokenConstraints(*study.spec, trial)) {
    proto->add_broken_constraints(one);
  }
  proto->set_breaks_constraint(proto->broken_constraints_size() > 0);
}

// Returns Trial.files_dir.
std::string FilesDirOf(const StudySnapshot& study, const TrialRecord& trial) {
  std::string job_dir = JobDirOf(study, trial);
  const auto job = AsJob(study);
  if (!job_dir.empty() || !job.has_value() || trial.attempts.empty()) {
    return job_dir;
  }
  std::string place = InPlaceFolder(SpecRunBy(*job, trial));
  if (!place.empty() || job->run().run_dir.empty()) return place;
  return WorkDirectory(
      AttemptDir(*job, {study.id, trial.id, trial.attempts.back().number}));
}

}  // namespace

v1::Trial ToProto(const StudySnapshot& study, const TrialRecord& trial) {
  v1::Trial proto;
  proto.set_job_id(study.name);
  proto.set_trial_id(ToInt(trial.id));
  proto.set_state(static_cast<v1::Trial::State>(trial.state));
  const std::vector<std::string> texts =
      FormatValues(study.spec->parameters, trial.parameters);
  const std::vector<const ParameterSpec*> specs =
      SpecsByValue(study.spec->parameters, trial.parameters);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const NamedValue& parameter = trial.parameters[i];
    v1::Trial::Parameter* to = proto.add_parameters();
    to->set_name(parameter.name);
    to->set_value(texts[i]);
    to->set_is_text(std::holds_alternative<std::string>(parameter.value));
    to->set_is_boolean(specs[i] != nullptr && specs[i]->has_booleans &&
                       BooleanOf(texts[i]).has_value());
  }
  if (trial.final_measurement) {
    SetMeasurement(trial.final_measurement, proto.mutable_final_measurement());
  }
  SetResults(study, trial, &proto);
  if (trial.objective.last) {
    SetMeasurement(trial.objective.last, proto.mutable_last_measurement());
  }
  *proto.mutable_create_time() = ToProto(trial.created_at);
  if (trial.started_at) {
    *proto.mutable_start_time() = ToProto(*trial.started_at);
  }
  if (trial.ended_at) *proto.mutable_end_time() = ToProto(*trial.ended_at);
  proto.set_end_cause(CauseName(trial.end_cause));
  proto.set_message(trial.message);
  proto.set_waiting_for(TrialWaitsFor(study, trial));
  if (const auto job = AsJob(study)) {
    for (const AttemptRecord& attempt : trial.attempts) {
      SetAttempt(*job, trial, attempt, proto.add_attempts());
    }
  }
  proto.set_job_dir(JobDirOf(study, trial));
  proto.set_files_dir(FilesDirOf(study, trial));
  proto.set_suggester(trial.origin.suggester);
  if (trial.origin.record.has_value()) {
    SetSuggestion(*trial.origin.record, trial.origin.seen_events,
                  proto.mutable_suggestion());
  }
  for (const SeenMetric& metric : trial.metrics_seen) {
    proto.add_metrics(metric.name);
  }
  for (const std::string& problem : trial.metric_problems) {
    proto.add_metric_problems(problem);
  }
  for (const auto& [name, value] : AttributesOf(trial.metadata)) {
    (*proto.mutable_attributes())[name] = value;
  }
  proto.set_note(NoteOf(trial.metadata));
  proto.set_paused(IsSetAside(study, trial));
  return proto;
}

v1::Prediction ToProto(const Prediction& prediction) {
  v1::Prediction proto;
  proto.set_mean(prediction.mean);
  proto.set_low(prediction.low);
  proto.set_high(prediction.high);
  return proto;
}

v1::PointMean ToProto(const PointMean& point) {
  v1::PointMean proto;
  proto.set_trial_id(ToInt(point.trial));
  proto.set_count(point.count);
  proto.set_mean(point.mean);
  if (point.half_interval.has_value()) {
    proto.set_low(point.mean - *point.half_interval);
    proto.set_high(point.mean + *point.half_interval);
  }
  return proto;
}

v1::Measurement ToProto(const Measurement& measurement) {
  v1::Measurement proto;
  proto.set_metric(measurement.metric);
  proto.set_step(measurement.step);
  *proto.mutable_report_time() = ToProto(measurement.reported_at);
  proto.set_value(measurement.value);
  proto.set_source(std::string(ToString(measurement.road)));
  return proto;
}

v1::Event ToProto(const Event& event, const std::string& job_id) {
  v1::Event proto;
  proto.set_sequence(ToInt(event.sequence));
  proto.set_job_id(job_id);
  proto.set_trial_id(event.trial ? ToInt(*event.trial) : 0);
  proto.set_attempt(event.attempt);
  proto.set_kind(event.kind);
  proto.set_payload(event.payload);
  const absl::StatusOr<Json> payload = ParseJson(event.payload);
  proto.set_text(
      SentenceOf(WordsOfEvent(event.kind, proto.trial_id(), event.attempt,
                              payload.ok() ? *payload : Json())));
  *proto.mutable_time() = ToProto(event.at);
  return proto;
}

}  // namespace vernier
