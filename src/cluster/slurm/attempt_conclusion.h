#ifndef VERNIER_CLUSTER_SLURM_ATTEMPT_CONCLUSION_H_
#define VERNIER_CLUSTER_SLURM_ATTEMPT_CONCLUSION_H_

#include <string>

#include "cluster/slurm/gang_files.h"
#include "cluster/slurm/slurm_jobs.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// The facts about an attempt whose gang has left no readable exit record so
/// far.
struct AttemptEvidence {
  JobView job;
  JobClaim::Kind claim = JobClaim::Kind::kNone;
  bool gang_ran = false;   ///< All its programs were started.
  bool is_killed = false;  ///< The service asked for its end.
  /// The job ended so recently that its record may still become visible.
  bool may_have_record = false;
  /// The result of PreemptionTime. Slurm may have ended the gang without ending
  /// the job.
  std::string preempted_at;
  std::string job_log;  ///< Last lines of what the batch script printed.
};

/// The decision about an attempt, and what to report of it.
struct AttemptConclusion {
  /// If true, the attempt's claim must be revoked before `observation` holds.
  /// If a job turns out to hold the claim, conclude again.
  bool must_revoke = false;
  AttemptObservation observation;  ///< Without `attempt` and `lasted`.
};

/// Returns whether the job cannot run any more, whatever else is known.
bool IsJobOver(const JobView& job);

/// Draws the conclusion from the evidence. Pure.
///
///   job           | claim   | killed | conclusion
///   not over      | any     | any    | starting, or running if its gang ran
///   withdrawn     | none    | any    | revoked, then ended on request
///   refused       | none    | any    | revoked, then a launch that failed
///   over          | none    | yes    | revoked, then ended on request
///   over          | none    | no     | revoked, then: lost if Slurm said why
///                 |         |        | it ended, never started if the job is
///                 |         |        | gone without a reason
///   over          | revoked | yes/no | ended on request / never started
///   over          | held    | yes    | ended on request
///   over          | held    | no     | out of memory if Slurm says so; lost
AttemptConclusion Conclude(const AttemptEvidence& evidence);

/// Returns what a job that has not started waits for, as the rest of "Trial 3
/// is ..."; empty if that is unknown.
std::string DescribeWait(const JobView& job);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_ATTEMPT_CONCLUSION_H_
