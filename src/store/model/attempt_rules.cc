#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "store/events/event_payload.h"
#include "store/model/change_rules.h"

namespace vernier {
namespace {

// The four changes in the life of an attempt: IntendLaunch adds it and leases
// its devices, ObserveAttempt follows its start, WantKill asks for its end, and
// EndAttempt records the end and releases the devices. Each rule edits a copy
// of the trial, because readers share the stored record.

using TrialPointer = std::shared_ptr<const TrialRecord>;

absl::Status CheckJobMayLaunch(JobRef study) {
  const JobRun& job = study.run();
  const std::string name = NameOf(study->id);
  if (IsTerminal(job.state) || job.state == JobState::kCancelling ||
      job.wanted != JobWanted::kRun) {
    return absl::FailedPreconditionError(
        absl::StrCat("the job of ", name, " does not want to run: state ",
                     std::string(ToString(job.state)), ", wanted ",
                     std::string(ToString(job.wanted))));
  }
  const int cap = MaxParallelTrialsOf(job);
  if (study->live_attempts >= cap) {
    return absl::FailedPreconditionError(absl::StrCat(
        name, " would pass max_parallel_trials: ", study->live_attempts,
        " attempts are alive of ", cap));
  }
  return absl::OkStatus();
}

absl::Status CheckTrialMayLaunch(const TrialRecord& trial,
                                 const AttemptKey& attempt) {
  const std::string name = NameOf(attempt.study, attempt.trial);
  if (trial.state != TrialState::kRequested &&
      trial.state != TrialState::kActive) {
    return absl::FailedPreconditionError(
        absl::StrCat(name, " cannot be launched: it is ",
                     std::string(ToString(trial.state))));
  }
  if (HasLiveAttempt(trial)) {
    return absl::FailedPreconditionError(
        absl::StrCat(name, " has a live attempt: ", trial.attempts.size()));
  }
  if (attempt.number != static_cast<int>(trial.attempts.size()) + 1) {
    return absl::FailedPreconditionError(
        absl::StrCat("the next attempt of ", name, " is ",
                     trial.attempts.size() + 1, ", not ", attempt.number));
  }
  return absl::OkStatus();
}

absl::Status CheckDevices(const IntendLaunch& change,
                          const WorkingState& state) {
  std::set<DeviceId> asked;
  for (const DeviceId& device : change.devices) {
    if (!asked.insert(device).second) {
      return absl::InvalidArgumentError(absl::StrCat(
          NameOf(change.attempt), " asks for a device twice: ", device));
    }
    const AttemptKey* holder = state.LeaseHolder(device);
    if (holder != nullptr) {
      return absl::ResourceExhaustedError(
          absl::StrCat("device is leased to ", NameOf(*holder), ": ", device));
    }
  }
  return absl::OkStatus();
}

AttemptRecord& EditAttempt(TrialRecord& trial, int number) {
  return trial.attempts[static_cast<std::size_t>(number) - 1];
}

// Returns the state after `event`. FAILED_PRECONDITION names an illegal
// transition.
absl::StatusOr<AttemptState> NextState(const AttemptKey& key,
                                       const TrialRecord& trial,
                                       AttemptEvent event) {
  const AttemptState from =
      trial.attempts[static_cast<std::size_t>(key.number) - 1].state;
  const std::optional<AttemptState> to = Next(from, event);
  if (!to.has_value()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "illegal move of ", NameOf(key), ": event ", static_cast<int>(event),
        " in state ", std::string(ToString(from))));
  }
  return *to;
}

void RecordMove(const AttemptKey& key, AttemptState from,
                const AttemptRecord& attempt, ChangeContext& context) {
  context.effects.rows.push_back({IsTerminal(attempt.state)
                                      ? RowChange::Kind::kAttemptEnded
                                      : RowChange::Kind::kAttemptChanged,
                                  key});
  RecordEvent(key,
              absl::StrCat("attempt.", std::string(ToString(attempt.state))),
              AttemptMovedPayload(from, attempt), context);
}

// Notes that the attempt's programs run since `at`. If no attempt of the trial
// ran before, that is also the trial's start.
void BeginRun(const AttemptKey& key, Timestamp at, TrialRecord* trial,
              ChangeContext& context) {
  EditAttempt(*trial, key.number).running_at = at;
  if (trial->started_at.has_value()) return;
  trial->started_at = at;
  context.effects.rows.push_back(
      {RowChange::Kind::kTrialChanged, {key.study, key.trial, 0}});
}

// Adds the attempt to the trial and leases its devices. A requested trial
// becomes active.
void AddAttempt(const IntendLaunch& change, int code_version,
                const TrialRecord& before, ChangeContext& context) {
  auto trial = std::make_shared<TrialRecord>(before);
  AttemptRecord attempt;
  attempt.number = change.attempt.number;
  attempt.nonce = change.nonce;
  attempt.code_version = code_version;
  attempt.devices = change.devices;
  attempt.message = change.message;
  attempt.intended_at = context.now;
  std::string payload = AttemptIntendedPayload(attempt);
  trial->attempts.push_back(std::move(attempt));
  trial->state = TrialState::kActive;
  StudySnapshot& study = context.state.Edit(change.attempt.study);
  study.trials.Put(trial);
  ++study.live_attempts;
  for (const DeviceId& device : change.devices) {
    context.state.TakeLease(device, change.attempt);
  }
  if (before.state == TrialState::kRequested) {
    RecordTrialMove(change.attempt.study, before.state, *trial, context);
  }
  context.effects.rows.push_back(
      {RowChange::Kind::kAttemptAdded, change.attempt});
  RecordEvent(change.attempt, "attempt.intended", std::move(payload), context);
}

}  // namespace

absl::Status Apply(const IntendLaunch& change, JobRef before,
                   ChangeContext& context) {
  VERNIER_ASSIGN_OR_RETURN(
      const TrialPointer trial,
      FindTrial(context, change.attempt.study, change.attempt.trial));
  VERNIER_RETURN_IF_ERROR(CheckTrialMayLaunch(*trial, change.attempt));
  VERNIER_RETURN_IF_ERROR(CheckJobMayLaunch(before));
  if (change.nonce.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(NameOf(change.attempt), " needs a nonce"));
  }
  VERNIER_RETURN_IF_ERROR(CheckDevices(change, context.state));
  AddAttempt(change, before.run().code_version, *trial, context);
  return absl::OkStatus();
}

absl::Status Apply(const ObserveAttempt& change, JobRef /*before*/,
                   ChangeContext& context) {
  VERNIER_ASSIGN_OR_RETURN(const TrialPointer before,
                           FindAttempt(context, change.attempt));
  if (change.event != AttemptEvent::kLaunch &&
      change.event != AttemptEvent::kRun) {
    return absl::InvalidArgumentError(
        absl::StrCat("only EndAttempt ends ", NameOf(change.attempt)));
  }
  VERNIER_ASSIGN_OR_RETURN(const AttemptState to,
                           NextState(change.attempt, *before, change.event));
  auto trial = std::make_shared<TrialRecord>(*before);
  AttemptRecord& attempt = EditAttempt(*trial, change.attempt.number);
  const AttemptState from = attempt.state;
  attempt.state = to;
  if (to == AttemptState::kRunning) {
    BeginRun(change.attempt, context.now, trial.get(), context);
  }
  context.state.Edit(change.attempt.study).trials.Put(trial);
  RecordMove(change.attempt, from, attempt, context);
  return absl::OkStatus();
}

absl::Status Apply(const WantKill& change, JobRef /*before*/,
                   ChangeContext& context) {
  VERNIER_ASSIGN_OR_RETURN(const TrialPointer before,
                           FindAttempt(context, change.attempt));
  const auto index = static_cast<std::size_t>(change.attempt.number) - 1;
  if (IsTerminal(before->attempts[index].state)) {
    return absl::FailedPreconditionError(absl::StrCat(
        NameOf(change.attempt),
        " has ended: ", std::string(ToString(before->attempts[index].state))));
  }
  // The first cause stays: it is why the processes are ending already.
  if (before->attempts[index].kill_wanted) return absl::OkStatus();
  auto trial = std::make_shared<TrialRecord>(*before);
  AttemptRecord& attempt = EditAttempt(*trial, change.attempt.number);
  attempt.kill_wanted = true;
  attempt.kill_cause = change.cause;
  if (!change.message.empty()) {
    attempt.message = attempt.message.empty()
                          ? change.message
                          : absl::StrCat(change.message, " ", attempt.message);
  }
  context.state.Edit(change.attempt.study).trials.Put(trial);
  context.effects.rows.push_back(
      {RowChange::Kind::kAttemptChanged, change.attempt});
  RecordEvent(change.attempt, "attempt.kill_wanted",
              AttemptKillWantedPayload(attempt), context);
  return absl::OkStatus();
}

absl::Status Apply(const EndAttempt& change, JobRef /*before*/,
                   ChangeContext& context) {
  VERNIER_ASSIGN_OR_RETURN(const TrialPointer before,
                           FindAttempt(context, change.attempt));
  if (change.event == AttemptEvent::kLaunch ||
      change.event == AttemptEvent::kRun) {
    return absl::InvalidArgumentError(
        absl::StrCat("only exit, kill and lose end ", NameOf(change.attempt)));
  }
  if (change.lasted.count() < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("the time that ", NameOf(change.attempt),
                     " lasted must be >= 0: ", change.lasted.count(), " us"));
  }
  VERNIER_ASSIGN_OR_RETURN(const AttemptState to,
                           NextState(change.attempt, *before, change.event));
  auto trial = std::make_shared<TrialRecord>(*before);
  AttemptRecord& attempt = EditAttempt(*trial, change.attempt.number);
  const AttemptState from = attempt.state;
  attempt.state = to;
  attempt.ended_at = context.now;
  attempt.exit_code = change.exit_code;
  attempt.signal = change.signal;
  attempt.end_cause = change.cause;
  attempt.message = change.message;
  attempt.lasted = change.lasted;
  if (!attempt.running_at.has_value() && attempt.lasted.count() > 0 &&
      attempt.end_cause != TrialEndCause::kLaunchFailed) {
    // The attempt ended before anyone saw it run.
    BeginRun(change.attempt,
             std::max(attempt.intended_at, context.now - attempt.lasted),
             trial.get(), context);
  }
  StudySnapshot& study = context.state.Edit(change.attempt.study);
  study.trials.Put(trial);
  --study.live_attempts;
  for (const DeviceId& device : attempt.devices) {
    context.state.ReleaseLease(device);
  }
  RecordMove(change.attempt, from, attempt, context);
  return absl::OkStatus();
}

}  // namespace vernier
