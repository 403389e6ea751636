#ifndef VERNIER_TRIALS_BUDGETS_VISIBLE_DEVICES_H_
#define VERNIER_TRIALS_BUDGETS_VISIBLE_DEVICES_H_

#include <optional>
#include <string>
#include <vector>

#include "store/records.h"
#include "study/job_spec.h"

namespace vernier {

/// Returns CUDA_VISIBLE_DEVICES of the job, from vernier.environment, or else
/// from the submitter's environment. nullopt: the job may lease any GPU.
std::optional<std::string> VisibleDevicesText(const JobSpec& spec);

/// Returns those of `all`, the machine's GPUs in its order, that `text` names.
/// It is read as CUDA reads it: numbers from 0, or beginnings of UUIDs, up to
/// the first that names none. Pure.
std::vector<DeviceId> VisibleDevices(const std::string& text,
                                     const std::vector<DeviceId>& all);

}  // namespace vernier

#endif  // VERNIER_TRIALS_BUDGETS_VISIBLE_DEVICES_H_
