#ifndef VERNIER_CLUSTER_SLURM_GANG_PLAN_H_
#define VERNIER_CLUSTER_SLURM_GANG_PLAN_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cluster/slurm/gang_shape.h"

namespace vernier {

/// The plan for an attempt's batch script: one step for each role.
struct GangPlan {
  struct Step {
    ReplicaRole role = ReplicaRole::kMaster;
    int count = 0;
    std::vector<std::string> words;  ///< After `srun`, before the program.

    friend bool operator==(const Step&, const Step&) = default;
  };
  std::string program;  ///< As SlurmSettings::program.
  std::string address;  ///< As SlurmSettings::address.
  std::vector<Step> steps;

  friend bool operator==(const GangPlan&, const GangPlan&) = default;
};

/// Returns the plan of a gang with these components. Pure.
GangPlan PlanGang(const std::string& program, const std::string& address,
                  const std::vector<GangComponent>& components);

/// Writes the plan into the attempt's folder, which MakeSlurmFolder must have
/// made.
absl::Status WriteGangPlan(const std::string& attempt_dir,
                           const GangPlan& plan);
/// Errors: NOT_FOUND; DATA_LOSS if it cannot be parsed; an errno's code.
absl::StatusOr<GangPlan> ReadGangPlan(const std::string& attempt_dir);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_GANG_PLAN_H_
