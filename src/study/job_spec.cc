#include "study/job_spec.h"

#include <string_view>

namespace vernier {
namespace {

struct MachineGpus {
  std::string_view machine_type;
  int gpus;
};

// Machine types that come with GPUs of their own; no other type does.
constexpr MachineGpus kMachineGpus[] = {
    {"standard_gpu", 1},         {"complex_model_m_gpu", 4},
    {"complex_model_l_gpu", 8},  {"standard_p100", 1},
    {"complex_model_m_p100", 4}, {"standard_v100", 1},
    {"large_model_v100", 1},     {"complex_model_m_v100", 4},
    {"complex_model_l_v100", 8}, {"a2-highgpu-1g", 1},
    {"a2-highgpu-2g", 2},        {"a2-highgpu-4g", 4},
    {"a2-highgpu-8g", 8},        {"a2-megagpu-16g", 16},
};

}  // namespace

Algorithm EffectiveAlgorithm(const JobSpec& spec) {
  if (spec.vernier.algorithm) return *spec.vernier.algorithm;
  const auto& hyperparameters = spec.training_input.hyperparameters;
  return hyperparameters ? hyperparameters->algorithm : Algorithm::kDefault;
}

int MaxTrials(const JobSpec& spec) {
  const auto& hyperparameters = spec.training_input.hyperparameters;
  return hyperparameters ? hyperparameters->max_trials : 1;
}

int GpusPerReplica(const JobSpec& spec, const RoleSpec& role) {
  if (spec.vernier.gpus_per_replica) return *spec.vernier.gpus_per_replica;
  if (role.config.accelerator_type.starts_with("NVIDIA_")) {
    return role.config.accelerator_count;
  }
  for (const MachineGpus& machine : kMachineGpus) {
    if (role.machine_type == machine.machine_type) return machine.gpus;
  }
  return 0;
}

}  // namespace vernier
