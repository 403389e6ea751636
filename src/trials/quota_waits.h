#ifndef VERNIER_TRIALS_QUOTA_WAITS_H_
#define VERNIER_TRIALS_QUOTA_WAITS_H_

#include <map>
#include <string>
#include <utility>

#include "study/ids.h"
#include "study/mutex.h"

namespace vernier {

/// Which jobs would start a trial now but for their projects' quotas: told by
/// the orchestrator, which decides so, for those who ask what a job waits for.
/// Thread-safe.
class QuotaWaits {
 public:
  /// Of all jobs: what each waits for, in words (ProjectRoom::WaitFor).
  void Replace(std::map<StudyId, std::string> waits) {
    MutexLock lock(mu_);
    waits_ = std::move(waits);
  }
  /// Empty: it does not wait for a quota.
  std::string Of(StudyId study) const {
    MutexLock lock(mu_);
    const auto found = waits_.find(study);
    return found == waits_.end() ? "" : found->second;
  }

 private:
  mutable Mutex mu_;
  std::map<StudyId, std::string> waits_ VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_QUOTA_WAITS_H_
