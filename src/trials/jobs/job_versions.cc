#include "trials/jobs/job_versions.h"

#include <cstddef>

#include "base/check.h"

namespace vernier {

JobVersion VersionOf(JobRef job, int number) {
  VERNIER_CHECK(number >= 1 && number <= job.run().code_version);
  if (number < job.run().code_version) {
    return *job.run().earlier_versions[static_cast<std::size_t>(number) - 1];
  }
  return PresentVersion(job.run());
}

const JobSpec& SpecRunBy(JobRef job, const TrialRecord& trial) {
  if (trial.attempts.empty()) return *job.run().spec;
  const int version = trial.attempts.back().code_version;
  if (version >= job.run().code_version) return *job.run().spec;
  return *job.run()
              .earlier_versions[static_cast<std::size_t>(version) - 1]
              ->spec;
}

bool IsToStartAgain(const TrialRecord& trial) {
  if (trial.state != TrialState::kActive || trial.attempts.empty() ||
      !trial.attempts.back().kill_wanted) {
    return false;
  }
  const TrialEndCause cause = trial.attempts.back().kill_cause;
  return cause == TrialEndCause::kCancelled ||
         cause == TrialEndCause::kPreempted ||
         cause == TrialEndCause::kStoppedEarly;  // When a rule resumes it.
}

std::set<std::string> CodeInUse(const StoreSnapshot& snapshot) {
  std::set<std::string> used;
  for (const auto& [id, study] : snapshot) {
    const auto job = AsJob(*study);
    if (!job.has_value()) continue;
    used.insert(job->run().code_dir);
    for (const auto& version : job->run().earlier_versions) {
      if (IsVersionAlive(*study, version->number)) {
        used.insert(version->code_dir);
      }
    }
  }
  used.erase("");
  return used;
}

}  // namespace vernier
