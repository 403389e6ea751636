// What the orchestrator may still lease or start: GPUs and replicas; when a
// trial is tried again, and which trials make room for others.

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "trials/jobs/live_attempts.h"
#include "trials/jobs/orchestrator.h"
#include "trials/jobs/preemption.h"
#include "trials/jobs/retry_backoff.h"
#include "trials/study_names.h"

namespace vernier {

DevicePool Orchestrator::FreeDevices(const StoreSnapshot& snapshot) const {
  std::set<DeviceId> leased;
  ForEachLive(snapshot, [&](const auto&, const auto&, const auto& attempt) {
    leased.insert(attempt.devices.begin(), attempt.devices.end());
  });
  DevicePool pool;
  pool.total = static_cast<int>(devices_.size());
  for (const Device& device : devices_) {
    pool.all.push_back(device.id);
    if (leased.count(device.id) == 0) pool.free.push_back(device.id);
  }
  return pool;
}

// Room of an attempt that has ended goes to the first job in line, not only to
// its own.
std::map<std::string, QuotaBudget> Orchestrator::Rooms(
    const StoreSnapshot& snapshot, const Observations& seen) const {
  std::map<std::string, QuotaBudget> rooms;
  if (dependencies_.quotas == nullptr) return rooms;
  const std::map<std::string, ProjectQuota> quotas =
      dependencies_.quotas->All();
  if (quotas.empty()) return rooms;
  std::map<std::string, ProjectUse> uses = UseByProject(snapshot);
  for (const auto& [project, quota] : quotas) {
    rooms.emplace(project, QuotaBudget(project, quota, uses[project]));
  }
  ForEachLive(snapshot,
              [&](const auto& study, const auto& trial, const auto& attempt) {
                const auto found = seen.find(KeyOf(study, trial, attempt));
                if (found == seen.end() || !IsOver(found->second.kind)) return;
                const auto room = rooms.find(ProjectOf(study));
                if (room == rooms.end()) return;
                room->second.GiveBack(static_cast<int>(attempt.devices.size()));
              });
  return rooms;
}

int Orchestrator::RunningReplicas(const StoreSnapshot& snapshot,
                                  const Observations& seen) const {
  int running = 0;
  ForEachLive(snapshot,
              [&](const auto& study, const auto& trial, const auto& attempt) {
                const auto found = seen.find(KeyOf(study, trial, attempt));
                if (found != seen.end() && IsOver(found->second.kind)) return;
                running += ReplicasPerAttempt(*study.run->spec);
              });
  return running;
}

// Ends trials of preemptible jobs, if that makes enough room. When they have
// ended, the job comes before theirs.
absl::Status Orchestrator::MakeRoom(const StoreSnapshot& snapshot,
                                    const StudySnapshot& study, RoomLack lack) {
  std::vector<Change> changes;
  for (const AttemptKey& attempt : ChoosePreemptions(snapshot, study, lack)) {
    changes.push_back(WantKill{attempt, TrialEndCause::kPreempted});
    Log(absl::StrCat("trial ", ToInt(attempt.trial), " of job ",
                     snapshot.at(attempt.study)->name,
                     " is preempted to make room for job ", study.name));
  }
  if (changes.empty()) return absl::OkStatus();
  const absl::Status status = Commit(changes);
  if (absl::IsUnavailable(status)) return status;
  if (!status.ok()) retry_soon_ = true;
  return absl::OkStatus();
}

// The trials that the machine failed a short while ago.
std::set<TrialId> Orchestrator::BackingOff(const StudySnapshot& study) {
  std::set<TrialId> backing_off;
  const SteadyTime now = dependencies_.clock.Steady();
  for (const TrialId id : study.open) {
    const TrialRecord& trial = study.trials.Get(id);
    if (trial.attempts.empty() || !IsTerminal(trial.attempts.back().state)) {
      continue;
    }
    const auto wait =
        BackoffAfter(MachineFailuresInARow(trial), options_.plan.backoff);
    if (wait.count() == 0) continue;
    const SteadyTime since =
        failed_at_.emplace(KeyOf(study, trial, trial.attempts.back()), now)
            .first->second;
    if (now - since >= wait) continue;
    backing_off.insert(id);
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(since + wait - now);
    next_retry_ = std::min(next_retry_.value_or(left), left);
  }
  return backing_off;
}

}  // namespace vernier
