#ifndef VERNIER_TRIALS_JOBS_JOB_VERSIONS_H_
#define VERNIER_TRIALS_JOBS_JOB_VERSIONS_H_

#include <memory>
#include <set>
#include <string>

#include "store/study_kinds.h"

namespace vernier {

/// Returns the version `number` of a job. The job must have it.
JobVersion VersionOf(JobRef job, int number);

/// Returns the spec that a trial's newest attempt runs, or that its first one
/// will run. Borrowed from the job.
const JobSpec& SpecRunBy(JobRef job, const TrialRecord& trial);

/// Returns whether the newest attempt of an active trial was asked to end so
/// that the trial can start again: with the newest version of its job
/// (RestartOutdated), after a preemption, or, after a pause, once a stopping
/// rule resumes it.
bool IsToStartAgain(const TrialRecord& trial);

/// Returns the pinned copies of code that jobs of `snapshot` run, or may still
/// run: those of their newest versions and of earlier ones that are alive.
/// Pure.
std::set<std::string> CodeInUse(const StoreSnapshot& snapshot);

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_JOB_VERSIONS_H_
