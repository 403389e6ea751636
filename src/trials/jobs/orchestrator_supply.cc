// What the orchestrator may still lease or start: GPUs and replicas.

#include <map>
#include <set>
#include <string>

#include "trials/jobs/live_attempts.h"
#include "trials/jobs/orchestrator.h"
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

}  // namespace vernier
