#ifndef VERNIER_TRIALS_JOBS_JOB_VERSIONS_H_
#define VERNIER_TRIALS_JOBS_JOB_VERSIONS_H_

#include <memory>
#include <set>
#include <string>

#include "store/store.h"

namespace vernier {

/// The version `number` of a job. The job must have it.
JobVersion VersionOf(const StudyRecord& job, int number);

/// The spec that a trial's newest attempt runs, or that its first one will run.
/// Borrowed from the job.
const JobSpec& SpecRunBy(const StudyRecord& job, const TrialRecord& trial);

/// Whether the newest attempt of a trial has to end, or had to, so that the
/// trial starts again: with the newest version of its job (RestartOutdated), or
/// because it was preempted, or, once a stopping rule resumes it, paused.
bool IsToStartAgain(const TrialRecord& trial);

/// The pinned copies that jobs of `snapshot` run, or may still run: those of
/// their newest versions and of earlier ones that are alive. Pure.
std::set<std::string> CodeInUse(const StoreSnapshot& snapshot);

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_JOB_VERSIONS_H_
