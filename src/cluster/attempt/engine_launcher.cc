#include "cluster/attempt/engine_launcher.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/small_file.h"
#include "base/status_macros.h"
#include "cluster/attempt/ended_observation.h"
#include "cluster/attempt/exit_record.h"
#include "cluster/attempt/kill_request.h"
#include "cluster/attempt/launch_phase.h"
#include "cluster/attempt/launch_retry.h"
#include "cluster/containers/container_engine.h"

namespace vernier {
namespace {

// An attempt goes one way only: starting, running, over. What the service
// decides about it is on disk before the engine hears of it: the engine's mark
// before a start, the kill request before a signal, the record of a launch that
// failed before it is reported. So a process of the service that comes later
// goes on where this one stopped (Adopt).

using std::chrono::milliseconds;
using Kind = AttemptObservation::Kind;

constexpr std::int64_t kMinLogCap = 65536;

AttemptObservation NeverStarted(const AttemptKey& attempt) {
  AttemptObservation observation;
  observation.attempt = attempt;
  observation.kind = Kind::kNeverStarted;
  return observation;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Launcher>> EngineLauncher::Create(
    Options options, const MakeEngine& make, const Clock& clock) {
  if (options.log_cap_bytes < kMinLogCap) {
    return absl::InvalidArgumentError(absl::StrCat(
        "log_cap_bytes must be >= ", kMinLogCap, ": ", options.log_cap_bytes));
  }
  std::unique_ptr<EngineLauncher> launcher(
      new EngineLauncher(std::move(options), clock));
  VERNIER_RETURN_IF_ERROR(launcher->epoll_.Open());
  EngineLauncher* const self = launcher.get();
  VERNIER_ASSIGN_OR_RETURN(launcher->engine_, make([self] {
                             self->epoll_.Wake();
                             if (self->options_.on_change) {
                               self->options_.on_change();
                             }
                           }));
  return std::unique_ptr<Launcher>(std::move(launcher));
}

EngineLauncher::EngineLauncher(Options options, const Clock& clock)
    : options_(std::move(options)), clock_(clock) {}

absl::Status EngineLauncher::Launch(const LaunchRequest& request) {
  VERNIER_RETURN_IF_ERROR(CheckLaunchRequest(request));
  const LiveAttempt identity{request.attempt, request.nonce, request.run_dir};
  bool is_known = attempts_.count(request.attempt) > 0;
  if (!is_known) {
    // An earlier process of the service may have begun or revoked the attempt.
    const absl::StatusOr<bool> has_mark = engine_->HasMark(request.run_dir);
    VERNIER_RETURN_IF_ERROR(TryAgain(has_mark.status()));
    is_known = *has_mark;
  }
  if (is_known) {
    const Attempt& attempt = Find(identity);
    const bool is_ours = attempt.known.identity.nonce == request.nonce &&
                         attempt.observation.kind != Kind::kNeverStarted;
    return is_ours ? absl::OkStatus()
                   : absl::InvalidArgumentError("the attempt was revoked");
  }
  VERNIER_RETURN_IF_ERROR(engine_->MayStart());
  Attempt attempt;
  attempt.known.identity = identity;
  attempt.observation.attempt = request.attempt;
  VERNIER_RETURN_IF_ERROR(TryAgain(Start(request, attempt)));
  attempts_.emplace(request.attempt, std::move(attempt));
  return absl::OkStatus();
}

absl::Status EngineLauncher::Start(const LaunchRequest& request,
                                   Attempt& attempt) {
  const ContainerSettings no_containers;
  // Other machines and the next process of the service read what this writes.
  VERNIER_RETURN_IF_ERROR(PrepareLaunch(
      request, {options_.resolve, /*machine_has_gpus=*/false,
                options_.log_cap_bytes, no_containers, Durability::kSynced}));
  VERNIER_ASSIGN_OR_RETURN(StartedGang started, engine_->Start(request));
  attempt.gang = std::move(started.gang);
  if (started.refusal.ok()) return absl::OkStatus();
  // It would fail at each try, so the attempt ends with a launch that failed.
  ExitRecord record = FailedLaunch(started.refusal);
  record.nonce = request.nonce;
  VERNIER_RETURN_IF_ERROR(WriteExitRecord(request.run_dir, record));
  attempt.observation = ObservationOf(request.attempt, record);
  return absl::OkStatus();
}

EngineLauncher::Attempt& EngineLauncher::Find(const LiveAttempt& identity) {
  const auto [place, is_new] = attempts_.try_emplace(identity.attempt);
  Attempt& attempt = place->second;
  if (is_new) {
    attempt.known.identity = identity;
    attempt.observation.attempt = identity.attempt;
    Adopt(attempt);
  }
  return attempt;
}

// Takes over an attempt of an earlier process of the service.
void EngineLauncher::Adopt(Attempt& attempt) {
  EngineAttempt& known = attempt.known;
  if (const auto end = RecordedEnd(known.identity)) {
    attempt.observation = *end;
    known.has_ended = true;
  }
  const auto killed = ReadKillRequest(known.identity.run_dir);
  known.is_killed = killed.ok() && killed->has_value();
  AdoptedGang adopted = engine_->Adopt(known);
  attempt.gang = std::move(adopted.gang);
  if (known.has_ended) return;
  if (adopted.is_revoked) {
    attempt.observation.kind = Kind::kNeverStarted;
    return;
  }
  // A gang that runs was started earlier; only the wall clock could tell when.
  if (adopted.gang_ran) NoteRuns(attempt, clock_.Steady());
  // The earlier process may have died between the request and the signal.
  if (known.is_killed && attempt.gang) AskToEnd(attempt, **killed);
}

absl::Status EngineLauncher::Kill(const LiveAttempt& identity,
                                  milliseconds grace) {
  Attempt& attempt = Find(identity);
  if (IsOver(attempt.observation.kind) || attempt.kill_deadline) {
    return absl::OkStatus();
  }
  // The request is written first, so that a gang which starts in between finds
  // it, and so does a restarted service.
  VERNIER_RETURN_IF_ERROR(WriteKillRequest(identity.run_dir, grace));
  attempt.known.is_killed = true;
  AskToEnd(attempt, grace);
  return absl::OkStatus();
}

void EngineLauncher::AskToEnd(Attempt& attempt, milliseconds grace) {
  attempt.kill_deadline = clock_.Steady() + grace + options_.kill_margin;
  if (attempt.gang) attempt.gang->End(grace);
}

std::vector<AttemptObservation> EngineLauncher::Observe(
    const std::vector<LiveAttempt>& live) {
  const SteadyTime now = clock_.Steady();
  std::vector<AttemptObservation> observations;
  observations.reserve(live.size());
  for (const LiveAttempt& identity : live) {
    Attempt& attempt = Find(identity);
    Look(attempt, now);
    if (attempt.known.identity.nonce != identity.nonce) {
      observations.push_back(NeverStarted(identity.attempt));
      continue;
    }
    observations.push_back(attempt.observation);
    if (attempt.observation.kind == Kind::kRunning) {
      observations.back().lasted = attempt.known.LastedUntil(now);
    }
  }
  engine_->EndStrangers();
  return observations;
}

void EngineLauncher::Look(Attempt& attempt, SteadyTime now) {
  if (IsOver(attempt.observation.kind) || !attempt.gang) return;
  const GangReport report = attempt.gang->Look(attempt.known, now);
  if (report.end) {
    const AttemptKey key = attempt.observation.attempt;
    attempt.observation = *report.end;
    attempt.observation.attempt = key;
    return TellPhase(attempt, "");
  }
  if (report.runs) {
    NoteRuns(attempt, now);
  } else if (report.waits_for) {
    TellPhase(attempt, *report.waits_for);
  }
  if (attempt.kill_deadline && now >= *attempt.kill_deadline) {
    attempt.gang->EndByForce();
  }
}

void EngineLauncher::NoteRuns(Attempt& attempt, SteadyTime now) {
  if (attempt.known.gang_ran) return;
  attempt.known.gang_ran = true;
  attempt.known.started = now;
  attempt.observation.kind = Kind::kRunning;
  TellPhase(attempt, "");
}

void EngineLauncher::TellPhase(Attempt& attempt, const std::string& phase) {
  if (phase == attempt.phase) return;
  attempt.phase = phase;
  NoteLaunchPhase(attempt.known.identity.run_dir, phase);
}

void EngineLauncher::Forget(const AttemptKey& key) {
  const auto found = attempts_.find(key);
  if (found == attempts_.end()) return;
  if (found->second.gang) found->second.gang->Drop();
  attempts_.erase(found);
}

void EngineLauncher::Wait(milliseconds timeout) {
  constexpr milliseconds kMost{std::numeric_limits<int>::max()};
  epoll_.Wait(
      static_cast<int>(std::clamp(timeout, milliseconds(0), kMost).count()));
}

void EngineLauncher::Wake() { epoll_.Wake(); }

}  // namespace vernier
