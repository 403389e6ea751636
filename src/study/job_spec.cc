#include "study/job_spec.h"

#include "study/machine_type.h"

namespace vernier {

Algorithm EffectiveAlgorithm(const JobSpec& spec) {
  if (spec.vernier.algorithm) return *spec.vernier.algorithm;
  const auto& hyperparameters = spec.training_input.hyperparameters;
  return hyperparameters ? hyperparameters->algorithm : Algorithm::kDefault;
}

const std::vector<ParameterSpec>& SearchSpaceOf(const JobSpec& spec) {
  static const std::vector<ParameterSpec> kNone;
  const auto& tuning = spec.training_input.hyperparameters;
  return tuning.has_value() ? tuning->params : kNone;
}

int MaxTrials(const JobSpec& spec) {
  const auto& hyperparameters = spec.training_input.hyperparameters;
  return hyperparameters ? hyperparameters->max_trials : 1;
}

GsArgs EffectiveGsArgs(const JobSpec& spec) {
  if (spec.vernier.gs_args) return *spec.vernier.gs_args;
  return spec.vernier.job_dir_form == JobDirForm::kUri ? GsArgs::kUri
                                                       : GsArgs::kPath;
}

bool RunsOnThisMachine(const JobSpec& spec) {
  return spec.vernier.launcher.value_or(LauncherName::kLocal) ==
         LauncherName::kLocal;
}

std::string JobVariable(const JobSpec& spec, const std::string& name) {
  for (const auto* variables :
       {&spec.vernier.environment, &spec.vernier.caller_environment}) {
    const auto found = variables->find(name);
    if (found != variables->end()) return found->second;
  }
  return "";
}

std::string PlaceOf(const std::string& parameter_name) {
  return "{" + parameter_name + "}";
}

int GpusPerReplica(const JobSpec& spec, const RoleSpec& role) {
  if (spec.vernier.gpus_per_replica) return *spec.vernier.gpus_per_replica;
  if (role.config.accelerator_type.starts_with("NVIDIA_")) {
    return role.config.accelerator_count;
  }
  // The spec counts GPUs of an unnamed kind; a TPU is not one.
  if (role.config.accelerator_type.empty() &&
      role.config.accelerator_count > 0) {
    return role.config.accelerator_count;
  }
  return GpusOfMachineType(role.machine_type);
}

}  // namespace vernier
