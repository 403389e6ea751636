#ifndef VERNIER_TRIALS_JOBS_ATTEMPT_ROOM_H_
#define VERNIER_TRIALS_JOBS_ATTEMPT_ROOM_H_

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "store/records.h"
#include "trials/budgets/gpu_pool.h"
#include "trials/jobs/study_plan.h"

namespace vernier {

/// Returns the number of processes on this machine that one attempt of the job
/// consists of; 0 for a job that runs on a cluster.
int ReplicasPerAttempt(const JobSpec& spec);

/// Says why `gpus` can never hold an attempt with this need, even if all were
/// free; nullopt if they can. Pure.
std::optional<std::string> WhyGpusNeverSuffice(const GpuNeed& need,
                                               const GpuPool& gpus);

/// Returns the devices on which attempts of the trial failed by the machine's
/// fault.
std::set<std::string> FailedDevices(const TrialRecord& trial);

/// Takes what one attempt of the job needs from its project's quota, from the
/// GPUs (others than `avoided` if there are enough) and from the machine's room
/// for replicas, and returns the leases. nullopt if one of them is used up;
/// nothing is taken then, and room_wait or lack of `plan` says what is missing.
std::optional<std::vector<DeviceId>> TakeRoom(
    const GpuNeed& need, const std::set<std::string>& avoided,
    const PlanInput& input, GpuPool* gpus, StudyPlan* plan);

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_ATTEMPT_ROOM_H_
