#include "trials/submission/job_machines.h"

#include <string_view>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "study/machine_type.h"

namespace vernier {
namespace {

constexpr int kMostGpus = 64;

struct RoleFields {
  const char* type_key;
  const char* config_key;
  RoleSpec TrainingInput::*role;
};

constexpr RoleFields kRoles[] = {
    {"masterType", "masterConfig", &TrainingInput::master},
    {"workerType", "workerConfig", &TrainingInput::worker},
    {"parameterServerType", "parameterServerConfig",
     &TrainingInput::parameter_server},
    {"evaluatorType", "evaluatorConfig", &TrainingInput::evaluator},
};

}  // namespace

absl::StatusOr<MachineTypeTable::value_type> ParseMachineType(
    const std::string& text) {
  const auto wrong = [&text](const std::string& why) {
    return absl::InvalidArgumentError(
        absl::StrCat("--machine-type must be NAME=GPUS, e.g. my-box=2; ", why,
                     ": \"", text, "\""));
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return wrong("there is no \"=\"");
  const std::string name = text.substr(0, equals);
  int gpus = 0;
  if (!absl::SimpleAtoi(text.substr(equals + 1), &gpus) || gpus < 0 ||
      gpus > kMostGpus) {
    return wrong("GPUS is 0 to 64");
  }
  if (IsKnownMachineType(name)) {
    return wrong(absl::StrCat("this type is known, with ",
                              GpusOfMachineType(name), " GPUs"));
  }
  if (!IsComputeEngineType(name)) {
    return wrong(
        "NAME has lower-case letters, digits and at least one \"-\" between "
        "them, and at most 63 characters");
  }
  return MachineTypeTable::value_type(name, gpus);
}

absl::StatusOr<ParsedJob> ResolveMachineTypes(const ParsedJob& job,
                                              const MachineTypeTable& listed) {
  std::vector<FieldOverride> overrides;
  for (const RoleFields& fields : kRoles) {
    const RoleSpec& role = job.spec.training_input.*fields.role;
    const std::string& type = role.machine_type;
    if (type.empty() || IsKnownMachineType(type)) continue;
    const auto found = listed.find(type);
    if (found == listed.end()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "trainingInput.", fields.type_key, ": there is no machine type \"",
          type, "\"", DidYouMeanMachineType(type),
          "; one of your own is listed by vernier serve --machine-type ", type,
          "=GPUS"));
    }
    if (found->second == 0 || role.config.accelerator_count > 0) continue;
    overrides.push_back(
        {{"trainingInput", fields.config_key, "acceleratorConfig"},
         absl::StrCat("{\"count\":\"", found->second,
                      "\",\"type\":\"ACCELERATOR_TYPE_UNSPECIFIED\"}"),
         "--machine-type"});
  }
  if (overrides.empty()) return job;
  return WithOverrides(job, overrides);
}

}  // namespace vernier
