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

/// A job to be submitted.
struct JobSubmission {
  std::string name;  ///< JobName's.
  AttemptKey attempt;
  std::string run_dir;  ///< Absolute, of the attempt.
  SlurmOptions options;
  std::vector<GangComponent> components;  ///< ShapeGang's.
  /// Nodes that this job should avoid, besides those that `options` name.
  std::vector<std::string> avoided_nodes;
  /// The job's own limit for an attempt; unset if there is none. The service
  /// enforces it. Slurm's limit, which is only a safety net, is somewhat
  /// longer.
  std::optional<std::chrono::seconds> trial_time_limit;
};

/// One call of sbatch.
struct SbatchCall {
  std::string name;                ///< Of the job.
  std::vector<std::string> words;  ///< After `sbatch`.
};

SbatchCall CallFor(const JobSubmission& submission);

/// Returns the words of `options` that say where a job may run and for whom.
/// They must be repeated for every component of a job. The shape, the time and
/// the extra arguments are not among them.
std::vector<std::string> SiteWords(const SlurmOptions& options);

/// Returns `text` quoted as one word of a shell.
std::string InSingleQuotes(const std::string& text);

/// Returns the batch script, which executes `PROGRAM slurm-gang RUN_DIR`.
std::string JobScript(const std::string& program, const std::string& run_dir);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_JOB_SUBMISSION_H_
