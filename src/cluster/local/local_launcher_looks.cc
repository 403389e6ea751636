// Attempts whose supervisor cannot report by itself, because it is dead,
// stopped, or out of reach: the launcher must look at their folders and
// processes.

#include <signal.h>

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "cluster/containers/monitor_sweep.h"
#include "cluster/local/local_launcher.h"
#include "cluster/process/process_identity.h"
#include "cluster/process/process_sweep.h"

namespace vernier {
namespace {

using std::chrono::milliseconds;
using Kind = AttemptObservation::Kind;

// Intervals between looks: at an attempt whose processes are being killed, and
// at one whose supervisor could not be opened or was adopted before its gang
// ran.
constexpr milliseconds kSweepInterval{20};
constexpr milliseconds kLookInterval{250};

constexpr char kRestarted[] = "The machine was restarted.";
constexpr char kForced[] =
    "It did not end in time after it was asked to, and was killed.";

}  // namespace

void LocalLauncher::TakeInspection(Attempt& attempt,
                                   const AttemptInspection& inspection) {
  switch (inspection.kind) {
    case AttemptInspection::Kind::kAlive:
      Adopt(attempt, inspection.claim);
      break;
    case AttemptInspection::Kind::kEnded:
      attempt.observation = inspection.observation;
      // The attempt did not end by itself: the sweep killed it.
      if (attempt.is_forced && attempt.observation.signal == SIGKILL) {
        attempt.observation.stopped_by_request = true;
      }
      break;
    case AttemptInspection::Kind::kLost:
      if (MayHaveContainers(attempt.identity.run_dir)) {
        // They do not run any more, but the engine still has them.
        SweepFor(attempt, Kind::kLost, kRestarted);
        break;
      }
      attempt.observation.kind = Kind::kLost;
      attempt.observation.message = kRestarted;
      break;
    case AttemptInspection::Kind::kNeverStarted:
      attempt.observation.kind = Kind::kNeverStarted;
      break;
    case AttemptInspection::Kind::kOrphaned:
      SweepFor(attempt, Kind::kLost, "Its supervisor was killed.");
      break;
    case AttemptInspection::Kind::kTampered:
      SweepFor(attempt, Kind::kEnded,
               absl::StrCat("Its end cannot be told: ", inspection.damage,
                            ". A program must leave the files of its attempt's "
                            "folder alone."));
      break;
    case AttemptInspection::Kind::kUnknown:
      attempt.needs_look = true;
      if (attempt.is_forced) SweepFor(attempt, Kind::kEnded, kForced);
      break;
  }
}

void LocalLauncher::SweepFor(Attempt& attempt, Kind kind,
                             const std::string& message) {
  attempt.needs_look = true;
  AttemptObservation& end = attempt.once_swept.emplace();
  end.attempt = attempt.identity.attempt;
  end.kind = attempt.is_forced ? Kind::kEnded : kind;
  end.message = attempt.is_forced ? kForced : message;
  end.stopped_by_request = attempt.is_forced;
  // The start of an attempt that was never adopted is unknown.
  if (attempt.started != SteadyTime{}) {
    end.lasted = clock_.Steady() - attempt.started;
  }
}

milliseconds LocalLauncher::LookInterval() const {
  const bool is_sweeping = std::any_of(
      to_look_at_.begin(), to_look_at_.end(), [&](const AttemptKey& key) {
        return attempts_.at(key).once_swept.has_value();
      });
  return is_sweeping ? kSweepInterval : kLookInterval;
}

void LocalLauncher::LookAgain() {
  last_look_ = clock_.Steady();
  if (to_look_at_.empty()) return;
  const std::set<AttemptKey> keys = to_look_at_;
  for (const AttemptKey& key : keys) {
    Attempt& attempt = attempts_.at(key);
    if (!attempt.once_swept) Inspect(attempt);
  }
  Sweep();
}

void LocalLauncher::Sweep() {
  std::set<std::string> nonces;
  std::set<std::string> with_containers;
  for (const AttemptKey& key : to_look_at_) {
    const Attempt& attempt = attempts_.at(key);
    // Without a handle on the supervisor, only the replicas can be killed; the
    // supervisor then ends by itself.
    if (attempt.once_swept || attempt.is_forced) {
      nonces.insert(attempt.identity.nonce);
      if (MayHaveContainers(attempt.identity.run_dir)) {
        with_containers.insert(attempt.identity.nonce);
      }
    }
  }
  if (nonces.empty()) return;
  std::set<std::string> alive = SweepProcesses(nonces);
  const MonitorSweep monitors = SweepMonitors(with_containers);
  if (!monitors.is_complete) return;  // Nothing is proven.
  for (const ContainerMonitor& monitor : monitors.monitors) {
    alive.insert(monitor.nonce);
    containers_.NoteMonitor(monitor);
  }
  const std::set<AttemptKey> keys = to_look_at_;
  for (const AttemptKey& key : keys) {
    Attempt& attempt = attempts_.at(key);
    if (!attempt.once_swept || alive.count(attempt.identity.nonce) > 0) {
      continue;
    }
    // Only when nothing can make one any more.
    const ContainerSweep::Progress removal = containers_.Continue(
        attempt.identity.nonce, attempt.identity.run_dir, engine_environment_);
    if (removal == ContainerSweep::Progress::kUnderWay) continue;
    attempt.observation = *attempt.once_swept;
    if (removal == ContainerSweep::Progress::kGivenUp) {
      attempt.observation.message += " Its containers could not be removed.";
    }
    attempt.needs_look = false;
    to_look_at_.erase(key);
  }
}

// Sends SIGCONT now and then, which has no effect on a process that is not
// stopped. A stopped supervisor could not report that its gang runs, before
// which no time limit counts, nor write the record of its end.
void LocalLauncher::Continue(Attempt& attempt, SteadyTime now) {
  if (!attempt.supervisor.is_open() || now < attempt.continue_at) return;
  if (attempt.continue_at != SteadyTime{}) {
    SignalProcess(attempt.supervisor, SIGCONT).IgnoreError();
  }
  attempt.continue_at = now + options_.continue_period;
}

void LocalLauncher::EndByForce() {
  const SteadyTime now = clock_.Steady();
  for (auto& [key, attempt] : attempts_) {
    Continue(attempt, now);
    if (!attempt.kill_deadline || now < *attempt.kill_deadline ||
        IsOver(attempt.observation.kind)) {
      continue;
    }
    attempt.is_forced = true;
    // The kernel kills the replicas together with it, and its pidfd reports the
    // end.
    if (attempt.supervisor.is_open()) {
      SignalProcess(attempt.supervisor, SIGKILL).IgnoreError();
    } else {
      attempt.needs_look = true;
      to_look_at_.insert(key);
    }
  }
}

}  // namespace vernier
