#include "trials/jobs/job_versions.h"

#include <cstddef>

#include "base/check.h"

namespace vernier {

JobVersion VersionOf(const JobRecord& job, int number) {
  VERNIER_CHECK(number >= 1 && number <= job.code_version);
  if (number < job.code_version) {
    return *job.earlier_versions[static_cast<std::size_t>(number) - 1];
  }
  return PresentVersion(job);
}

const JobSpec& SpecRunBy(const JobRecord& job, const TrialRecord& trial) {
  if (trial.attempts.empty()) return *job.spec;
  const int version = trial.attempts.back().code_version;
  if (version >= job.code_version) return *job.spec;
  return *job.earlier_versions[static_cast<std::size_t>(version) - 1]->spec;
}

bool IsToStartAgain(const TrialRecord& trial) {
  return trial.state == TrialState::kActive && !trial.attempts.empty() &&
         trial.attempts.back().kill_wanted &&
         trial.attempts.back().kill_cause == TrialEndCause::kCancelled;
}

std::set<std::string> CodeInUse(const StoreSnapshot& snapshot) {
  std::set<std::string> used;
  for (const auto& [id, study] : snapshot) {
    used.insert(study->job.code_dir);
    for (const auto& version : study->job.earlier_versions) {
      if (IsVersionAlive(*study, version->number)) {
        used.insert(version->code_dir);
      }
    }
  }
  used.erase("");
  return used;
}

}  // namespace vernier
