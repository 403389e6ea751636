#include "trials/engine/study_engines.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace vernier {

absl::StatusOr<EarlyVerdicts> StudyEngines::Stops(const StudySnapshot& study,
                                                  int free_slots) {
  if (study.spec->stopping_rule == StoppingRule::kNone) return EarlyVerdicts{};
  return WithStopper(study.id, [&](EarlyStopper& stopper) {
    return stopper.Decide(study, free_slots);
  });
}

SuggestionExecutor::Request StudyEngines::RequestPoints(
    const StudySnapshot& study, const StudySnapshot* resumed, int count) {
  SuggestionExecutor::Request request =
      MakeSuggestionRequest(study, resumed, count);
  // Only the default algorithm learns from results.
  if (study.spec->algorithm != Algorithm::kDefault ||
      study.spec->stopping_rule == StoppingRule::kNone) {
    return request;
  }
  const absl::Status learnt = WithStopper(study.id, [&](EarlyStopper& stopper) {
    return stopper.Learn(study, &request.view);
  });
  if (!learnt.ok()) {
    log_(absl::StrCat(study.run.has_value() ? "job " : "study ", study.name,
                      ": ", learnt.ToString()));
  }
  return request;
}

void StudyEngines::Forget(StudyId study) {
  const MutexLock lock(mu_);
  stoppers_.erase(study);
}

void StudyEngines::ForgetEnded(const StoreSnapshot& snapshot) {
  const MutexLock lock(mu_);
  std::erase_if(stoppers_, [&](const auto& entry) {
    const auto study = snapshot.find(entry.first);
    return study == snapshot.end() || IsFinishedJob(*study->second);
  });
}

std::unique_ptr<EarlyStopper> StudyEngines::Take(StudyId study) {
  {
    const MutexLock lock(mu_);
    std::unique_ptr<EarlyStopper>& kept = stoppers_[study];
    if (kept != nullptr) return std::move(kept);
  }
  return std::make_unique<EarlyStopper>(store_);
}

void StudyEngines::Put(StudyId study, std::unique_ptr<EarlyStopper> stopper) {
  const MutexLock lock(mu_);
  // The study may have been forgotten meanwhile.
  const auto kept = stoppers_.find(study);
  if (kept != stoppers_.end()) kept->second = std::move(stopper);
}

}  // namespace vernier
