#ifndef VERNIER_CLUSTER_SLURM_JOB_SUBMISSION_H_
#define VERNIER_CLUSTER_SLURM_JOB_SUBMISSION_H_

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "cluster/slurm/gang_shape.h"
#include "study/engines/slurm_options.h"
#include "study/ids.h"

namespace vernier {

/// A job that is to be submitted.
struct JobSubmission {
  std::string name;  ///< JobName's.
  AttemptKey attempt;
  std::string run_dir;  ///< Absolute, of the attempt.
  SlurmOptions options;
  std::vector<GangComponent> components;  ///< ShapeGang's.
  /// The job's own limit for an attempt; Slurm's is somewhat longer, since the
  /// service keeps the limit and Slurm is the safety net. Unset: none.
  std::optional<std::chrono::seconds> trial_time_limit;
};

/// The words after `sbatch`.
std::vector<std::string> SubmissionWords(const JobSubmission& submission);

/// The batch script: it becomes `PROGRAM slurm-gang RUN_DIR`.
std::string JobScript(const std::string& program, const std::string& run_dir);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_JOB_SUBMISSION_H_
