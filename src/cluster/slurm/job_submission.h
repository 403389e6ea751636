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
  /// Nodes that this job is to avoid, beside those that `options` name.
  std::vector<std::string> avoided_nodes;
  /// The job's own limit for an attempt; Slurm's is somewhat longer, since the
  /// service keeps the limit and Slurm is the safety net. Unset: none.
  std::optional<std::chrono::seconds> trial_time_limit;
};

/// One call of sbatch.
struct SbatchCall {
  std::string name;                ///< Of the job.
  std::vector<std::string> words;  ///< After `sbatch`.
};

SbatchCall CallFor(const JobSubmission& submission);

/// Where a job may run and for whom: those words of `options` that have to be
/// repeated for every component of a job. The shape and the time are not among
/// them, nor are the extra arguments.
std::vector<std::string> SiteWords(const SlurmOptions& options);

/// `text` as one word of a shell.
std::string InSingleQuotes(const std::string& text);

/// The batch script: it becomes `PROGRAM slurm-gang RUN_DIR`.
std::string JobScript(const std::string& program, const std::string& run_dir);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_JOB_SUBMISSION_H_
