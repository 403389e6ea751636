#include "trials/jobs/preemption.h"

#include <algorithm>
#include <tuple>

#include "trials/budgets/gpu_pool.h"
#include "trials/jobs/attempt_room.h"
#include "trials/jobs/live_attempts.h"

namespace vernier {
namespace {

int PriorityOf(JobRef job) { return job.run().spec->training_input.priority; }

/// An attempt that may be ended, and the room it would leave.
struct Candidate {
  AttemptKey attempt;
  int priority = 0;
  Timestamp started{};
  int gpus = 0;
  int replicas = 0;
};

std::vector<AttemptKey> Keys(const std::vector<Candidate>& candidates,
                             std::size_t count) {
  std::vector<AttemptKey> keys;
  for (std::size_t i = 0; i < count; ++i) keys.push_back(candidates[i].attempt);
  return keys;
}

}  // namespace

std::vector<AttemptKey> ChoosePreemptions(const StoreSnapshot& snapshot,
                                          JobRef job, RoomLack lack) {
  const GpuNeed need = GpuNeedOf(*job.run().spec);
  if (need.visible.has_value()) return {};
  const bool lacks_gpus = lack.gpus > 0;
  const bool lacks_replicas = lack.replicas > 0;
  std::vector<Candidate> candidates;
  const auto take = [&lack](int gpus, int replicas) {
    lack.gpus -= gpus;
    lack.replicas -= replicas;
  };
  ForEachLive(
      snapshot, [&](JobRef other, const auto& trial, const auto& attempt) {
        const int gpus = ServingLeases(attempt.devices, need);
        const int replicas = ReplicasPerAttempt(*other.run().spec);
        if (attempt.kill_wanted) {
          take(gpus, replicas);
        } else if (other.run().spec->vernier.is_preemptible &&
                   trial.state == TrialState::kActive &&
                   PriorityOf(other) < PriorityOf(job)) {
          candidates.push_back({KeyOf(other, trial, attempt), PriorityOf(other),
                                attempt.intended_at, gpus, replicas});
        }
      });
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) {
                     // Within a priority the youngest are ended first, because
                     // they lose the least work.
                     return std::tie(a.priority, b.started) <
                            std::tie(b.priority, a.started);
                   });
  std::vector<Candidate> chosen;
  // The first `useful` of `chosen` make room for whole attempts.
  std::size_t useful = 0;
  int attempts = 0;
  const auto count_attempts = [&] {
    while (!lack.any() && attempts < lack.attempts) {
      ++attempts;
      useful = chosen.size();
      if (lacks_gpus) lack.gpus += need.gpus;
      if (lacks_replicas) lack.replicas += ReplicasPerAttempt(*job.run().spec);
    }
  };
  count_attempts();  // The attempts that end already may suffice.
  for (const Candidate& candidate : candidates) {
    if (attempts >= lack.attempts) break;
    const bool helps = (lack.gpus > 0 && candidate.gpus > 0) ||
                       (lack.replicas > 0 && candidate.replicas > 0);
    if (!helps) continue;
    take(candidate.gpus, candidate.replicas);
    chosen.push_back(candidate);
    count_attempts();
  }
  return Keys(chosen, useful);
}

}  // namespace vernier
