#include "tests/fakes/fake_launcher.h"

#include <algorithm>
#include <csignal>
#include <utility>

namespace vernier {
namespace {

using Kind = AttemptObservation::Kind;

bool IsAlive(const AttemptObservation& observation) {
  return observation.kind == Kind::kStarting ||
         observation.kind == Kind::kRunning;
}

}  // namespace

FakeLauncher::FakeLauncher(std::vector<Device> devices)
    : devices_(std::move(devices)) {}

void FakeLauncher::FailNextLaunches(int count, absl::Status error) {
  failing_launches_ = count;
  launch_error_ = std::move(error);
}

void FakeLauncher::LoseNextAnswers(int count, absl::Status error) {
  losing_answers_ = count;
  launch_error_ = std::move(error);
}

void FakeLauncher::FailNextKills(int count, absl::Status error) {
  failing_kills_ = count;
  kill_error_ = std::move(error);
}

FakeLauncher::Gang* FakeLauncher::FindAlive(const AttemptKey& attempt) {
  const auto found = gangs_.find(attempt);
  if (found == gangs_.end() || !IsAlive(found->second.observation)) {
    return nullptr;
  }
  return &found->second;
}

void FakeLauncher::SetRunning(const AttemptKey& attempt) {
  if (Gang* gang = FindAlive(attempt)) gang->observation.kind = Kind::kRunning;
}

void FakeLauncher::Exit(const AttemptKey& attempt, int exit_code,
                        std::chrono::microseconds lasted) {
  AttemptObservation end;
  end.attempt = attempt;
  end.kind = Kind::kEnded;
  end.exit_code = exit_code;
  end.lasted = lasted;
  if (exit_code != 0) {
    end.message = "The replica master 0 exited with a non-zero status of " +
                  std::to_string(exit_code) + ". Termination reason: Error.";
  }
  End(end);
}

void FakeLauncher::End(const AttemptObservation& end) {
  if (Gang* gang = FindAlive(end.attempt)) {
    const bool stopped = gang->observation.stopped_by_request;
    gang->observation = end;
    gang->observation.stopped_by_request |= stopped;
  }
}

void FakeLauncher::Lose(const AttemptKey& attempt) {
  AttemptObservation end;
  end.attempt = attempt;
  end.kind = Kind::kLost;
  End(end);
}

void FakeLauncher::Restart() { known_.clear(); }

std::vector<AttemptKey> FakeLauncher::Alive() const {
  std::vector<AttemptKey> alive;
  for (const auto& [attempt, gang] : gangs_) {
    if (IsAlive(gang.observation)) alive.push_back(attempt);
  }
  return alive;
}

int FakeLauncher::StartsOf(const std::string& nonce) const {
  return static_cast<int>(std::count_if(
      started_.begin(), started_.end(),
      [&](const LaunchRequest& request) { return request.nonce == nonce; }));
}

void FakeLauncher::Start(const LaunchRequest& request) {
  Gang& gang = gangs_[request.attempt];
  gang.nonce = request.nonce;
  gang.observation.attempt = request.attempt;
  gang.observation.kind = runs_at_once_ ? Kind::kRunning : Kind::kStarting;
  known_.insert(request.attempt);
  started_.push_back(request);
  max_alive_ = std::max(max_alive_, static_cast<int>(Alive().size()));
  if (on_start_) on_start_(request);
}

absl::Status FakeLauncher::Launch(const LaunchRequest& request) {
  ++launch_calls_;
  if (failing_launches_ > 0) {
    --failing_launches_;
    return launch_error_;
  }
  if (revoked_.count(request.nonce) > 0) {
    return absl::InvalidArgumentError("the attempt was revoked");
  }
  const auto found = gangs_.find(request.attempt);
  if (found == gangs_.end()) {
    Start(request);
  } else if (found->second.nonce != request.nonce) {
    return absl::InvalidArgumentError("the attempt has another nonce");
  }
  if (losing_answers_ > 0) {
    --losing_answers_;
    return launch_error_;
  }
  return absl::OkStatus();
}

absl::Status FakeLauncher::Kill(const LiveAttempt& attempt,
                                std::chrono::milliseconds /*grace*/) {
  if (failing_kills_ > 0) {
    --failing_kills_;
    return kill_error_;
  }
  kills_.push_back(attempt.attempt);
  Gang* gang = FindAlive(attempt.attempt);
  if (gang == nullptr) return absl::OkStatus();
  gang->observation.stopped_by_request = true;
  if (!obeys_kill_) return absl::OkStatus();
  AttemptObservation end;
  end.attempt = attempt.attempt;
  end.kind = Kind::kEnded;
  end.signal = SIGTERM;
  End(end);
  return absl::OkStatus();
}

std::vector<AttemptObservation> FakeLauncher::Observe(
    const std::vector<LiveAttempt>& live) {
  std::vector<AttemptObservation> observations;
  observations.reserve(live.size());
  for (const LiveAttempt& attempt : live) {
    const auto found = gangs_.find(attempt.attempt);
    if (found != gangs_.end() && found->second.nonce == attempt.nonce) {
      known_.insert(attempt.attempt);
      observations.push_back(found->second.observation);
      continue;
    }
    // Nothing was ever started for it: from now on nothing ever will be.
    revoked_.insert(attempt.nonce);
    AttemptObservation observation;
    observation.attempt = attempt.attempt;
    observation.kind = Kind::kNeverStarted;
    observations.push_back(observation);
  }
  return observations;
}

void FakeLauncher::Forget(const AttemptKey& attempt) {
  known_.erase(attempt);
  forgotten_.push_back(attempt);
}

void FakeLauncher::Wait(std::chrono::milliseconds timeout) {
  if (on_wait_) on_wait_(timeout);
}

void FakeLauncher::Wake() { wakes_.fetch_add(1); }

}  // namespace vernier
