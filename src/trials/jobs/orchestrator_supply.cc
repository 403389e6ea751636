// What the orchestrator may still lease or start: GPUs and replicas; when a
// trial is tried again, and which trials make room for others.

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "trials/jobs/attempt_room.h"
#include "trials/jobs/live_attempts.h"
#include "trials/jobs/orchestrator.h"
#include "trials/jobs/preemption.h"
#include "trials/jobs/retry_backoff.h"
#include "trials/study_names.h"

namespace vernier {

GpuPool Orchestrator::MakeGpuPool(const StoreSnapshot& snapshot) const {
  GpuPool pool(devices_, dependencies_.launcher.ChecksDevices());
  if (devices_.empty()) return pool;
  ForEachLive(snapshot, [&](const auto&, const auto&, const auto& attempt) {
    for (const DeviceId& lease : attempt.devices) pool.Hold(lease);
  });
  for (const UnusableDevice& device :
       dependencies_.launcher.UnusableDevices(pool.Unleased())) {
    pool.Exclude(device);
  }
  return pool;
}

// By priority; those of one priority by how long they have lacked room, and
// then by age. A job that has just started a trial comes after those that wait.
std::vector<const StudySnapshot*> Orchestrator::Queue(
    const StoreSnapshot& snapshot) const {
  std::vector<const StudySnapshot*> queue;
  for (const auto& [id, study] : snapshot) {
    if (!IsTerminal(study->run->state)) queue.push_back(study.get());
  }
  const auto since = [&](const StudySnapshot* study) {
    const auto found = lacking_since_.find(study->id);
    return found == lacking_since_.end()
               ? SteadyTime{std::chrono::microseconds::max()}
               : found->second;
  };
  std::stable_sort(queue.begin(), queue.end(), [&](auto* a, auto* b) {
    const int first = a->run->spec->training_input.priority;
    const int second = b->run->spec->training_input.priority;
    if (first != second) return first > second;
    return since(a) < since(b);
  });
  return queue;
}

std::string Orchestrator::NameFor(const StudySnapshot& study,
                                  const Supply::Lacking& lacking) {
  if (lacking.project != ProjectOf(study)) return "a job of another project";
  return absl::StrCat("job ", lacking.name);
}

bool Orchestrator::IsPatienceOver(StudyId study) const {
  const auto found = lacking_since_.find(study);
  return found != lacking_since_.end() &&
         dependencies_.clock.Steady() - found->second >= options_.gang_patience;
}

// Notes what a job waits for; keeps GPUs for the first in the queue that has
// waited for long, since small trials would keep a large one from ever
// starting.
void Orchestrator::NoteWait(const StudySnapshot& study, const StudyPlan& plan,
                            Supply* supply) {
  std::string& room = supply->hindrances[study.id].room;
  if (!plan.room_wait.empty()) room = plan.room_wait;
  if (!plan.lack.any()) {
    lacking_since_.erase(study.id);
    return;
  }
  const bool has_started = !plan.launches.empty() || !plan.new_trials.empty();
  const SteadyTime now = dependencies_.clock.Steady();
  if (has_started) {
    lacking_since_[study.id] = now;
  } else {
    lacking_since_.emplace(study.id, now);
  }
  if (plan.lack.gpus == 0) return;
  const std::string troubles = supply->gpus.Troubles();
  if (supply->lacking.has_value() && supply->lacking->keeps_gpus) {
    room = absl::StrCat("room: the GPUs that are free are kept for ",
                        NameFor(study, *supply->lacking),
                        ", which has waited for longer");
  } else if (!troubles.empty()) {
    room = absl::StrCat("room: ", troubles);
  }
}

// Room of an attempt that has ended goes to the first job in the queue, not
// only to its own.
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
