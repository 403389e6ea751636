#include "trials/limits/progress_watch.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/mutex.h"
#include "store/study_kinds.h"

namespace vernier {
namespace {

std::size_t EndedTrials(const StudySnapshot& study) {
  return study.trials.size() - study.open.size();
}

std::int64_t FewestResults(const StudySnapshot& study) {
  return std::max(ProgressWatch::kFewResults,
                  study.spec->limits.no_progress->trials);
}

}  // namespace

// Shared by the owner and the tasks of the pool, which may outlive it.
struct ProgressWatch::Shared {
  struct Study {
    std::size_t asked = 0;  // The ended trials at the last request.
    bool is_working = false;
    std::size_t known = 0;  // The ended trials that `promise` is from.
    std::optional<NextTrialPromise> promise;
    std::string problem;  // Not logged yet.
  };

  explicit Shared(ResultModels& of) : models(of) {}

  ResultModels& models;  // Does its own locking.
  Mutex mu;              // Held for map look-ups only.
  std::map<StudyId, Study> studies VERNIER_GUARDED_BY(mu);

  void Compute(const StudySnapshot& study) {
    const ResultModels::InsightsAnswer answer = models.Examine(study, {});
    const MutexLock lock(mu);
    const auto found = studies.find(study.id);
    if (found == studies.end()) return;
    Study& of = found->second;
    of.is_working = false;
    of.known = EndedTrials(study);
    of.promise.reset();
    if (!answer.ok()) {
      of.problem = answer.status().ToString();
      return;
    }
    const Insights& insights_now = (*answer)->insights;
    if (insights_now.reason.empty() &&
        insights_now.num_observations >= FewestResults(study)) {
      of.promise = NextTrialPromise{insights_now.expected_gain};
    }
  }
};

ProgressWatch::ProgressWatch(ResultModels& models, ThreadPool* pool,
                             std::function<void(const std::string&)> log)
    : pool_(pool),
      log_(std::move(log)),
      shared_(std::make_shared<Shared>(models)) {}

std::optional<NextTrialPromise> ProgressWatch::PromiseOf(
    const std::shared_ptr<const StudySnapshot>& study) {
  const std::size_t ended = EndedTrials(*study);
  if (static_cast<std::int64_t>(ended) < FewestResults(*study)) {
    return std::nullopt;
  }
  bool begins = false;
  {
    const MutexLock lock(shared_->mu);
    Shared::Study& of = shared_->studies[study->id];
    begins = !of.is_working && of.asked != ended;
    if (begins) {
      of.asked = ended;
      of.is_working = true;
    }
  }
  if (begins && pool_ == nullptr) shared_->Compute(*study);
  if (begins && pool_ != nullptr) {
    pool_->Run([shared = shared_, study] { shared->Compute(*study); });
  }
  std::string problem;
  std::optional<NextTrialPromise> promise;
  {
    const MutexLock lock(shared_->mu);
    Shared::Study& of = shared_->studies[study->id];
    problem = std::exchange(of.problem, "");
    const auto parallel =
        static_cast<std::size_t>(MaxParallelTrialsOf(JobOf(*study).run()));
    if (of.known + parallel >= ended) promise = of.promise;
  }
  if (!problem.empty()) {
    log_(absl::StrCat("job ", study->name, ": what its next trial promises is ",
                      "not known: ", problem));
  }
  return promise;
}

void ProgressWatch::Forget(const std::function<bool(StudyId)>& is_done) {
  const MutexLock lock(shared_->mu);
  std::erase_if(shared_->studies,
                [&](const auto& entry) { return is_done(entry.first); });
}

}  // namespace vernier
