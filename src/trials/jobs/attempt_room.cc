#include "trials/jobs/attempt_room.h"

#include "absl/strings/str_cat.h"
#include "study/devices/device_lease.h"

namespace vernier {

int ReplicasPerAttempt(const JobSpec& spec) {
  if (!RunsOnThisMachine(spec)) return 0;
  const TrainingInput& input = spec.training_input;
  return input.master.count + input.worker.count +
         input.parameter_server.count + input.evaluator.count;
}

std::optional<std::string> WhyGpusNeverSuffice(const GpuNeed& need,
                                               const GpuPool& gpus) {
  const int most = gpus.Most(need);
  if (need.gpus <= most) return std::nullopt;
  const std::string needed = absl::StrCat("each trial needs ", need.gpus,
                                          need.gpus == 1 ? " GPU" : " GPUs");
  GpuNeed whole = need;
  whole.memory_mb = 0;
  GpuNeed any = whole;
  any.visible.reset();
  if (need.gpus > gpus.Most(any)) {
    return absl::StrCat(needed, ", and there ",
                        gpus.size() == 1 ? "is " : "are ", gpus.size(),
                        "; to run without, set vernier.gpusPerReplica to 0");
  }
  if (need.gpus > gpus.Most(whole)) {
    return absl::StrCat(needed, ", and CUDA_VISIBLE_DEVICES=", *need.visible,
                        " of the job's environment lets it use ",
                        gpus.Most(whole));
  }
  if (gpus.LargestMemory() == 0) {
    return "vernier.gpuMemoryPerReplica needs GPUs whose memory is known, and "
           "that of this machine's is not";
  }
  return absl::StrCat(needed, " with ", need.memory_mb,
                      " MB of memory (vernier.gpuMemoryPerReplica), and ", most,
                      most == 1 ? " has" : " have", " so much");
}

std::set<std::string> FailedDevices(const TrialRecord& trial) {
  std::set<std::string> failed;
  for (const AttemptRecord& attempt : trial.attempts) {
    if (attempt.end_cause != TrialEndCause::kInfrastructure) continue;
    for (const DeviceId& lease : attempt.devices) {
      failed.insert(ParseDeviceLease(lease).device);
    }
  }
  return failed;
}

std::optional<std::vector<DeviceId>> TakeRoom(
    const GpuNeed& need, const std::set<std::string>& avoided,
    const PlanInput& input, GpuPool* gpus, StudyPlan* plan) {
  // The quota comes first, because no trial of another job must end for a job
  // that its own quota holds back.
  if (input.room != nullptr && !input.room->Take(need.gpus)) {
    plan->room_wait = input.room->WaitFor(need.gpus);
    return std::nullopt;
  }
  const auto give_back = [&]() -> std::nullopt_t {
    if (input.room != nullptr) input.room->GiveBack(need.gpus);
    return std::nullopt;
  };
  plan->lack.gpus = gpus->Lack(need);
  if (plan->lack.gpus > 0) return give_back();
  const int replicas = ReplicasPerAttempt(*input.job.run().spec);
  if (input.replica_budget != nullptr &&
      !input.replica_budget->Take(replicas)) {
    plan->room_wait = input.replica_budget->WaitFor(replicas);
    plan->lack.replicas = input.replica_budget->Lack(replicas);
    return give_back();
  }
  return gpus->Take(need, avoided);
}

}  // namespace vernier
