#include "cluster/slurm/gang_shape.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

absl::Status CheckRole(const JobSpec& spec, ReplicaRole role) {
  const TrainingInput& input = spec.training_input;
  if (!ImageOf(input, role).empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the replicas of a job on Slurm cannot have an image: ",
        ImageOf(input, role),
        "; give a program, or run the job with vernier.launcher: local"));
  }
  const std::string& accelerator = RoleOf(input, role).config.accelerator_type;
  if (accelerator.starts_with("TPU")) {
    return absl::InvalidArgumentError(
        absl::StrCat("a job on Slurm cannot have a TPU: ", accelerator));
  }
  return absl::OkStatus();
}

ReplicaShape ShapeOf(const JobSpec& spec, ReplicaRole role,
                     const SlurmOptions& options,
                     const GpuTypeTable& gpu_types) {
  const RoleSpec& role_spec = RoleOf(spec.training_input, role);
  ReplicaShape shape;
  shape.cpus = options.cpus_per_replica.value_or(1);
  shape.memory_mb = options.memory_mb.value_or(0);
  shape.gpus = GpusPerReplica(spec, role_spec);
  if (shape.gpus == 0) return shape;
  const std::string& accelerator = role_spec.config.accelerator_type;
  const auto named = gpu_types.find(accelerator);
  if (!options.gpu_type.empty()) {
    shape.gpu_type = options.gpu_type;
  } else if (named != gpu_types.end()) {
    shape.gpu_type = named->second;
  } else {
    shape.gpu_type = DefaultGpuType(accelerator);
  }
  return shape;
}

}  // namespace

std::string DefaultGpuType(const std::string& accelerator) {
  std::string_view name = accelerator;
  for (const std::string_view maker : {"NVIDIA_", "TESLA_"}) {
    if (name.starts_with(maker)) name.remove_prefix(maker.size());
  }
  std::string type(name);
  std::transform(type.begin(), type.end(), type.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return type;
}

int GangComponent::replicas() const {
  int count = 0;
  for (const RoleStep& step : steps) count += step.count;
  return count;
}

absl::StatusOr<std::vector<GangComponent>> ShapeGang(
    const JobSpec& spec, const SlurmOptions& options,
    const GpuTypeTable& gpu_types) {
  std::vector<GangComponent> components;
  for (ReplicaRole role :
       {ReplicaRole::kMaster, ReplicaRole::kWorker,
        ReplicaRole::kParameterServer, ReplicaRole::kEvaluator}) {
    const int count = role == ReplicaRole::kMaster
                          ? 1
                          : RoleOf(spec.training_input, role).count;
    if (count == 0) continue;
    VERNIER_RETURN_IF_ERROR(CheckRole(spec, role));
    const ReplicaShape shape = ShapeOf(spec, role, options, gpu_types);
    auto same = std::find_if(
        components.begin(), components.end(),
        [&](const GangComponent& each) { return each.shape == shape; });
    if (same == components.end()) {
      components.push_back({shape, {}});
      same = components.end() - 1;
    }
    same->steps.push_back({role, count});
  }
  return components;
}

std::vector<std::string> ShapeWords(const ReplicaShape& shape, int count) {
  std::vector<std::string> words = {
      absl::StrCat("--ntasks=", count),
      absl::StrCat("--cpus-per-task=", shape.cpus)};
  if (shape.memory_mb > 0) {
    // Memory is given per processor, so that each replica gets its share on
    // whichever node Slurm puts it.
    words.push_back(absl::StrCat(
        "--mem-per-cpu=", (shape.memory_mb + shape.cpus - 1) / shape.cpus,
        "M"));
  }
  if (shape.gpus > 0) {
    words.push_back(absl::StrCat("--gpus-per-task=", shape.gpu_type,
                                 shape.gpu_type.empty() ? "" : ":",
                                 shape.gpus));
  }
  return words;
}

}  // namespace vernier
