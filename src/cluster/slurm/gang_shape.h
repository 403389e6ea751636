#ifndef VERNIER_CLUSTER_SLURM_GANG_SHAPE_H_
#define VERNIER_CLUSTER_SLURM_GANG_SHAPE_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cluster/replica.h"
#include "study/engines/slurm_options.h"
#include "study/job_spec.h"

namespace vernier {

/// Maps the job file's accelerator types to the site's names of GPUs:
/// "tesla_v100" or "v100-32gb" for NVIDIA_TESLA_V100. A type that is missing is
/// named by DefaultGpuType.
using GpuTypeTable = std::map<std::string, std::string>;

/// Returns, for instance, "v100" for "NVIDIA_TESLA_V100": without the maker, in
/// lower case.
std::string DefaultGpuType(const std::string& accelerator);

/// The resources of a node that one replica needs.
struct ReplicaShape {
  int cpus = 1;                ///< >= 1.
  std::int64_t memory_mb = 0;  ///< 0: the site decides.
  int gpus = 0;
  std::string gpu_type;  ///< Empty: any.

  friend bool operator==(const ReplicaShape&, const ReplicaShape&) = default;
};

/// The replicas of one role, which form one step of the job.
struct RoleStep {
  ReplicaRole role = ReplicaRole::kMaster;
  int count = 0;

  friend bool operator==(const RoleStep&, const RoleStep&) = default;
};

/// Replicas of the same shape, which share an allocation.
struct GangComponent {
  ReplicaShape shape;
  std::vector<RoleStep> steps;

  int replicas() const;
};

/// Returns the components of a job's gang, the master's first. If there are
/// several, they form a heterogeneous job, whose components Slurm starts
/// together, on different nodes. Pure.
///
/// INVALID_ARGUMENT for what cannot run on Slurm: images, TPUs.
absl::StatusOr<std::vector<GangComponent>> ShapeGang(
    const JobSpec& spec, const SlurmOptions& options,
    const GpuTypeTable& gpu_types);

/// Returns the words for sbatch, or for srun if `count` is a step's, that
/// request `count` replicas of this shape.
std::vector<std::string> ShapeWords(const ReplicaShape& shape, int count);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_GANG_SHAPE_H_
