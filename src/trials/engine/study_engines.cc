#include "trials/engine/study_engines.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "trials/engine/prior_results.h"

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
  request.view.priors = PriorsOf(study);
  // Only the default algorithm learns from results.
  if (study.spec->algorithm != Algorithm::kDefault ||
      study.spec->stopping_rule == StoppingRule::kNone) {
    return request;
  }
  const absl::Status learnt = WithStopper(study.id, [&](EarlyStopper& stopper) {
    return stopper.Learn(study, &request.view);
  });
  if (!learnt.ok()) {
    log_(absl::StrCat(IsJob(study) ? "job " : "study ", study.name, ": ",
                      learnt.ToString()));
  }
  return request;
}

std::shared_ptr<const std::vector<PriorStudy>> StudyEngines::PriorsOf(
    const StudySnapshot& study) {
  if (study.spec->prior_studies.studies.empty()) return nullptr;
  const auto snapshot = store_.Snapshot();
  {
    const MutexLock lock(mu_);
    const auto known = priors_.find(study.id);
    const bool is_known =
        known != priors_.end() &&
        known->second.spec->prior_studies == study.spec->prior_studies &&
        std::all_of(known->second.studies.begin(), known->second.studies.end(),
                    [&](StudyId id) { return snapshot->count(id) > 0; });
    if (is_known) return known->second.results;
  }
  const auto found = FindPriorStudies(*snapshot, study);
  Priors priors{study.spec, {}, nullptr};
  for (const auto& prior : found) priors.studies.push_back(prior->id);
  priors.results = std::make_shared<const std::vector<PriorStudy>>(
      PriorResults(study, found));
  const MutexLock lock(mu_);
  return (priors_[study.id] = std::move(priors)).results;
}

void StudyEngines::Forget(StudyId study) {
  const MutexLock lock(mu_);
  stoppers_.erase(study);
  priors_.erase(study);
}

void StudyEngines::ForgetEnded(const StoreSnapshot& snapshot) {
  const auto has_ended = [&](const auto& entry) {
    const auto study = snapshot.find(entry.first);
    return study == snapshot.end() || IsFinishedJob(*study->second);
  };
  const MutexLock lock(mu_);
  std::erase_if(stoppers_, has_ended);
  std::erase_if(priors_, has_ended);
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
