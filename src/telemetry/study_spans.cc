#include "telemetry/study_spans.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/strings/match.h"
#include "store/study_kinds.h"
#include "study/job_id.h"

namespace vernier {
namespace {

// Streams of SpanIdOf, so that the ids of different things of one study differ.
constexpr std::uint64_t kStudy = 0;
constexpr std::uint64_t kTrial = 1;
constexpr std::uint64_t kAttempt = 2;
constexpr std::uint64_t kLaunch = 3;
constexpr std::uint64_t kRun = 4;
constexpr std::uint64_t kKinds = 8;
constexpr std::uint64_t kMostAttempts = 1 << 16;

// Identifies one study of one database: studies of other databases have other
// seeds, even if number and time are the same.
std::uint64_t IdentityOf(const StudyRecord& study) {
  const auto created = study.created_at.time_since_epoch().count();
  return study.seed ^ (static_cast<std::uint64_t>(created) << 20) ^
         static_cast<std::uint64_t>(ToInt(study.id));
}

TraceContext Place(const StudyRecord& study, std::uint64_t kind,
                   std::uint64_t trial = 0, std::uint64_t attempt = 0) {
  const std::uint64_t identity = IdentityOf(study);
  return {TraceIdOf(identity, 0),
          SpanIdOf(identity, (trial * kMostAttempts + attempt) * kKinds + kind),
          true};
}

TraceContext PlaceOf(const StudyRecord& study, std::uint64_t kind,
                     const AttemptKey& key) {
  return Place(study, kind, static_cast<std::uint64_t>(ToInt(key.trial)),
               static_cast<std::uint64_t>(key.number));
}

std::string Text(std::string_view text) { return std::string(text); }

SpanAttributes NamesOf(const StudyRecord& study) {
  return {{IsJob(study) ? "vernier.job" : "vernier.study", study.name},
          {"vernier.project", ProjectOfName(study.name)}};
}

bool IsTrouble(TrialEndCause cause) {
  return cause == TrialEndCause::kUserError ||
         cause == TrialEndCause::kOutOfMemory ||
         cause == TrialEndCause::kInfrastructure ||
         cause == TrialEndCause::kLaunchFailed ||
         cause == TrialEndCause::kTransient;
}

TraceSpan Begin(const StudyRecord& study, const std::string& name,
                TraceContext context, const std::string& parent,
                Timestamp start, Timestamp end) {
  TraceSpan span;
  span.context = std::move(context);
  span.parent = parent;
  span.name = name;
  span.start = start;
  span.end = std::max(start, end);  // The wall clock may have been set back.
  span.attributes = NamesOf(study);
  return span;
}

TraceSpan JobSpan(JobRef job, Timestamp at) {
  const JobRun& run = job.run();
  TraceSpan span = Begin(job, "job", TraceOf(job), "", job->created_at,
                         run.ended_at.value_or(at));
  const auto add = [&span](const char* key, SpanValue value) {
    span.attributes.emplace_back(key, std::move(value));
  };
  add("vernier.state", Text(ToString(run.state)));
  add("vernier.trials", static_cast<std::int64_t>(job->trials.size()));
  add("vernier.trials_max", static_cast<std::int64_t>(run.max_trials));
  const auto in_queue = std::chrono::duration<double>(run.waited_for).count();
  add("vernier.waited_seconds", in_queue);
  span.status =
      run.state == JobState::kFailed ? SpanStatus::kError : SpanStatus::kUnset;
  return span;
}

TraceSpan TrialSpan(const StudySnapshot& study, const TrialRecord& trial,
                    Timestamp at) {
  const std::string parent = IsJob(study) ? TraceOf(study).span_id : "";
  TraceSpan span = Begin(study, "trial", TraceOf(study, trial.id), parent,
                         trial.created_at, trial.ended_at.value_or(at));
  const auto add = [&span](const char* key, SpanValue value) {
    span.attributes.emplace_back(key, std::move(value));
  };
  add("vernier.trial", ToInt(trial.id));
  add("vernier.state", Text(ToString(trial.state)));
  add("vernier.cause", Text(ToString(trial.end_cause)));
  add("vernier.attempts", static_cast<std::int64_t>(trial.attempts.size()));
  if (trial.final_measurement.has_value()) {
    add("vernier.value", trial.final_measurement->value);
  }
  if (IsTrouble(trial.end_cause)) span.status = SpanStatus::kError;
  return span;
}

std::vector<TraceSpan> AttemptSpans(const StudySnapshot& study,
                                    const TrialRecord& trial,
                                    const AttemptRecord& attempt,
                                    Timestamp at) {
  const AttemptKey key{study.id, trial.id, attempt.number};
  const Timestamp end = attempt.ended_at.value_or(at);
  TraceSpan whole =
      Begin(study, "attempt", TraceOf(study, key),
            TraceOf(study, trial.id).span_id, attempt.intended_at, end);
  const auto add = [&whole](const char* attribute, SpanValue value) {
    whole.attributes.emplace_back(attribute, std::move(value));
  };
  add("vernier.trial", ToInt(trial.id));
  add("vernier.attempt", static_cast<std::int64_t>(attempt.number));
  add("vernier.state", Text(ToString(attempt.state)));
  add("vernier.cause", Text(ToString(attempt.end_cause)));
  add("vernier.gpus", static_cast<std::int64_t>(attempt.devices.size()));
  if (attempt.exit_code.has_value()) {
    add("process.exit.code", static_cast<std::int64_t>(*attempt.exit_code));
  }
  if (attempt.signal.has_value()) {
    add("vernier.signal", static_cast<std::int64_t>(*attempt.signal));
  }
  if (IsTrouble(attempt.end_cause)) whole.status = SpanStatus::kError;
  std::vector<TraceSpan> spans;
  if (attempt.running_at.has_value()) {
    const std::string& parent = whole.context.span_id;
    spans.push_back(Begin(study, "launch", PlaceOf(study, kLaunch, key), parent,
                          attempt.intended_at, *attempt.running_at));
    spans.push_back(Begin(study, "run", PlaceOf(study, kRun, key), parent,
                          *attempt.running_at, end));
  }
  spans.push_back(std::move(whole));
  return spans;
}

const AttemptRecord* FindAttempt(const TrialRecord& trial, int number) {
  for (const AttemptRecord& attempt : trial.attempts) {
    if (attempt.number == number) return &attempt;
  }
  return nullptr;
}

bool IsIn(const StudySnapshot& study, TrialId trial) {
  return ToInt(trial) >= 1 &&
         static_cast<std::size_t>(ToInt(trial)) <= study.trials.size();
}

}  // namespace

TraceContext TraceOf(const StudyRecord& study) { return Place(study, kStudy); }

TraceContext TraceOf(const StudyRecord& study, TrialId trial) {
  return Place(study, kTrial, static_cast<std::uint64_t>(ToInt(trial)));
}

TraceContext TraceOf(const StudyRecord& study, const AttemptKey& attempt) {
  return PlaceOf(study, kAttempt, attempt);
}

std::vector<TraceSpan> SpansOf(const Event& event, const StudySnapshot& study) {
  if (!event.trial.has_value()) {
    const bool is_end = event.kind == "job.succeeded" ||
                        event.kind == "job.failed" ||
                        event.kind == "job.cancelled";
    const auto job = AsJob(study);
    if (!is_end || !job.has_value()) return {};
    return {JobSpan(*job, event.at)};
  }
  if (!IsIn(study, *event.trial)) return {};
  const std::shared_ptr<const TrialRecord> shared =
      study.trials.Share(*event.trial);
  const TrialRecord& trial = *shared;
  if (event.attempt == 0) {
    const bool is_end = event.kind != "trial.deleted" &&
                        absl::StartsWith(event.kind, "trial.") &&
                        event.kind.substr(6) == ToString(trial.state) &&
                        IsTerminal(trial.state);
    if (!is_end) return {};
    return {TrialSpan(study, trial, event.at)};
  }
  const AttemptRecord* attempt = FindAttempt(trial, event.attempt);
  if (attempt == nullptr || !IsTerminal(attempt->state) ||
      !absl::StartsWith(event.kind, "attempt.") ||
      event.kind.substr(8) != ToString(attempt->state)) {
    return {};
  }
  return AttemptSpans(study, trial, *attempt, event.at);
}

}  // namespace vernier
