#include "trials/stopping/early_stoppers.h"

#include <utility>

namespace vernier {

std::unique_ptr<EarlyStopper> EarlyStoppers::Take(StudyId study) {
  {
    const MutexLock lock(mu_);
    std::unique_ptr<EarlyStopper>& kept = stoppers_[study];
    if (kept != nullptr) return std::move(kept);
  }
  return std::make_unique<EarlyStopper>(store_);
}

void EarlyStoppers::Put(StudyId study, std::unique_ptr<EarlyStopper> stopper) {
  const MutexLock lock(mu_);
  // The study may have been forgotten meanwhile.
  const auto kept = stoppers_.find(study);
  if (kept != stoppers_.end()) kept->second = std::move(stopper);
}

void EarlyStoppers::Forget(StudyId study) {
  const MutexLock lock(mu_);
  stoppers_.erase(study);
}

}  // namespace vernier
