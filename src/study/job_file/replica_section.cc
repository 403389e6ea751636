// The fields of trainingInput for the number of replicas and the machines that
// they run on.

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/nearest_name.h"
#include "base/shown_text.h"
#include "study/job_file/job_sections.h"
#include "study/machine_type.h"

namespace vernier {
namespace {

// Our own limit on the processes of one role in a gang.
constexpr std::int64_t kMaxReplicas = 10'000;
constexpr std::int64_t kMaxAccelerators = 64;

constexpr EnumName<ScaleTier> kScaleTiers[] = {
    {"BASIC", ScaleTier::kBasic},        {"STANDARD_1", ScaleTier::kStandard1},
    {"PREMIUM_1", ScaleTier::kPremium1}, {"BASIC_GPU", ScaleTier::kBasicGpu},
    {"BASIC_TPU", ScaleTier::kBasicTpu}, {"CUSTOM", ScaleTier::kCustom},
};

struct TierRole {
  int count;
  std::string_view machine_type;
};

struct TierShape {
  ScaleTier tier;
  TierRole master;
  TierRole worker;
  TierRole parameter_server;
};

// AI Platform's predefined clusters, by their Compute Engine equivalents.
constexpr TierShape kTierShapes[] = {
    {ScaleTier::kBasic, {1, "n1-standard-4"}, {0, ""}, {0, ""}},
    {ScaleTier::kStandard1,
     {1, "n1-highcpu-8"},
     {4, "n1-highcpu-8"},
     {3, "n1-standard-4"}},
    {ScaleTier::kPremium1,
     {1, "n1-highcpu-16"},
     {19, "n1-highcpu-16"},
     {11, "n1-highmem-8"}},
    {ScaleTier::kBasicGpu, {1, "n1-standard-8"}, {0, ""}, {0, ""}},
    {ScaleTier::kBasicTpu, {1, "n1-standard-4"}, {0, ""}, {0, ""}},
};

constexpr EnumName<std::string_view> kAccelerators[] = {
    {"ACCELERATOR_TYPE_UNSPECIFIED", ""},
    {"NVIDIA_TESLA_K80", "NVIDIA_TESLA_K80"},
    {"NVIDIA_TESLA_P100", "NVIDIA_TESLA_P100"},
    {"NVIDIA_TESLA_V100", "NVIDIA_TESLA_V100"},
    {"NVIDIA_TESLA_P4", "NVIDIA_TESLA_P4"},
    {"NVIDIA_TESLA_T4", "NVIDIA_TESLA_T4"},
    {"NVIDIA_TESLA_A100", "NVIDIA_TESLA_A100"},
    {"TPU_V2", "TPU_V2"},
    {"TPU_V3", "TPU_V3"},
    {"TPU_V2_POD", "TPU_V2_POD"},
    {"TPU_V3_POD", "TPU_V3_POD"},
    {"TPU_V4_POD", "TPU_V4_POD"},
};

// The fields of one role. `count_key` is empty for the master.
struct RoleFields {
  std::string_view type_key;
  std::string_view count_key;
  std::string_view config_key;
  RoleSpec TrainingInput::*role;
};

constexpr RoleFields kRoles[] = {
    {"masterType", "", "masterConfig", &TrainingInput::master},
    {"workerType", "workerCount", "workerConfig", &TrainingInput::worker},
    {"parameterServerType", "parameterServerCount", "parameterServerConfig",
     &TrainingInput::parameter_server},
    {"evaluatorType", "evaluatorCount", "evaluatorConfig",
     &TrainingInput::evaluator},
};

void CheckMachineType(ObjectReader& section, const RoleFields& fields,
                      const std::string& type) {
  if (fields.count_key.empty() && type == kCloudTpu) {
    section.ValueError(fields.type_key,
                       "must be a machine, since the master runs the program");
  } else if (!IsLegacyMachineType(type) && !IsComputeEngineType(type)) {
    section.Error(
        fields.type_key,
        "must be a machine type such as n1-standard-4 or standard: \"" +
            ShowText(type) + "\"" + DidYouMean(type, LegacyMachineTypes()));
  }
}

// Either all machine types of a job are Compute Engine's or all are AI
// Platform's own; only a Cloud TPU goes with both.
void CheckSameCategory(ObjectReader& section, const RoleFields& fields,
                       const TrainingInput& input) {
  const std::string& type = (input.*fields.role).machine_type;
  const std::string& master = input.master.machine_type;
  if (type.empty() || master.empty() || type == kCloudTpu) return;
  if (IsLegacyMachineType(type) == IsLegacyMachineType(master)) return;
  section.ValueError(fields.type_key,
                     std::string("must be ") +
                         (IsLegacyMachineType(master) ? "an AI Platform"
                                                      : "a Compute Engine") +
                         " machine type like masterType \"" + ShowText(master) +
                         "\"");
}

// Counts and types are allowed only with CUSTOM. If the file does not give the
// tier, a flag may still do so.
void CheckTierFields(ObjectReader& section, bool must_be_complete,
                     const TrainingInput& input) {
  if (!must_be_complete && !section.Has("scaleTier")) return;
  const auto refuse = [&](std::string_view key) {
    section.ValueError(key, section.Has("scaleTier")
                                ? "must be given with scaleTier CUSTOM only"
                                : "must be given with scaleTier CUSTOM only; "
                                  "the tier is BASIC unless given");
  };
  for (const RoleFields& fields : kRoles) {
    if (!(input.*fields.role).machine_type.empty()) refuse(fields.type_key);
    if (!fields.count_key.empty() && (input.*fields.role).count > 0) {
      refuse(fields.count_key);
    }
  }
}

void CheckCustom(ObjectReader& section, bool must_be_complete,
                 const TrainingInput& input) {
  for (const RoleFields& fields : kRoles) {
    CheckSameCategory(section, fields, input);
    const RoleSpec& role = input.*fields.role;
    const bool is_missing =
        !section.Has(fields.type_key) && role.machine_type.empty();
    if (!is_missing || !must_be_complete) continue;
    if (fields.count_key.empty()) {
      section.Error(fields.type_key, "is required with scaleTier CUSTOM");
    } else if (role.count > 0) {
      section.Error(fields.type_key, "is required, since " +
                                         std::string(fields.count_key) +
                                         " is " + std::to_string(role.count));
    }
  }
}

void ReadAccelerator(ObjectReader& config, ReplicaConfig& replica) {
  ObjectReader accelerator = config.Child("acceleratorConfig");
  const auto count = accelerator.Int64("count", {0, kMaxAccelerators});
  const auto type = accelerator.Enum("type", kAccelerators);
  replica.accelerator_count = static_cast<int>(count.value_or(0));
  replica.accelerator_type = type.value_or("");
  if (replica.accelerator_count > 0 && !type && !accelerator.Has("type")) {
    accelerator.Error("type", "is required with a count");
  }
  config.Attach("acceleratorConfig", accelerator);
  if (replica.accelerator_type.starts_with("TPU_")) {
    config.MarkIgnored("acceleratorConfig");
  }
}

void ReadDisk(ObjectReader& config) {
  config.MarkIgnored("diskConfig");
  ObjectReader disk = config.Child("diskConfig");
  disk.String("bootDiskType");
  disk.Integer("bootDiskSizeGb", {0, 1'000'000});
  config.Attach("diskConfig", disk);
}

void ReadReplicaConfig(ObjectReader& section, const RoleFields& fields,
                       RoleSpec& role) {
  ObjectReader config = section.Child(fields.config_key);
  ReadAccelerator(config, role.config);
  role.config.image_uri = config.String("imageUri").value_or("");
  config.MarkIgnored("tpuTfVersion");
  config.String("tpuTfVersion");
  ReadDisk(config);
  role.config.container_command = config.Strings("containerCommand");
  role.config.container_args = config.Strings("containerArgs");
  if (!role.config.container_command.empty() &&
      role.config.container_command[0].empty()) {
    config.Error("containerCommand", "must begin with a program's name");
  }
  if (role.config.accelerator_count > 0 && role.machine_type != kCloudTpu &&
      IsLegacyMachineType(role.machine_type)) {
    config.Error("acceleratorConfig",
                 "must go with a Compute Engine machine type, but " +
                     std::string(fields.type_key) + " is \"" +
                     role.machine_type + "\"");
  }
  section.Attach(fields.config_key, config);
}

void ApplyTier(TrainingInput& input) {
  for (const TierShape& shape : kTierShapes) {
    if (shape.tier != input.scale_tier) continue;
    const auto apply = [](const TierRole& from, RoleSpec& role) {
      role.count = from.count;
      role.machine_type = from.machine_type;
    };
    apply(shape.master, input.master);
    apply(shape.worker, input.worker);
    apply(shape.parameter_server, input.parameter_server);
    apply({0, ""}, input.evaluator);
  }
  input.master.count = 1;
  ReplicaConfig& master = input.master.config;
  if (input.scale_tier == ScaleTier::kBasicGpu &&
      master.accelerator_type.empty()) {
    master.accelerator_type = "NVIDIA_TESLA_K80";
    master.accelerator_count = 1;
  }
}

// A Cloud TPU worker runs no process here, so it takes no place in the gang.
void LeaveOutTpuWorkers(ObjectReader& section, TrainingInput& input) {
  if (input.scale_tier == ScaleTier::kBasicTpu)
    section.MarkIgnored("scaleTier");
  if (input.worker.machine_type != kCloudTpu) return;
  input.worker.count = 0;
  section.MarkIgnored("workerType");
  section.MarkIgnored("workerCount");
}

}  // namespace

void ReadReplicas(ObjectReader& section, bool must_be_complete,
                  TrainingInput& input) {
  input.scale_tier =
      section.Enum("scaleTier", kScaleTiers).value_or(input.scale_tier);
  for (const RoleFields& fields : kRoles) {
    const auto type = section.String(fields.type_key);
    if (type) CheckMachineType(section, fields, *type);
    (input.*fields.role).machine_type = type.value_or("");
  }
  for (const RoleFields& fields : kRoles) {
    if (fields.count_key.empty()) continue;
    (input.*fields.role).count = static_cast<int>(
        section.Int64(fields.count_key, {0, kMaxReplicas}).value_or(0));
  }
  for (const RoleFields& fields : kRoles) {
    ReadReplicaConfig(section, fields, input.*fields.role);
  }
  if (input.scale_tier == ScaleTier::kCustom) {
    CheckCustom(section, must_be_complete, input);
  } else {
    CheckTierFields(section, must_be_complete, input);
  }
  ApplyTier(input);
  LeaveOutTpuWorkers(section, input);
}

}  // namespace vernier
