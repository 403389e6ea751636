#ifndef VERNIER_TRIALS_ENGINE_STUDY_ENGINES_H_
#define VERNIER_TRIALS_ENGINE_STUDY_ENGINES_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/mutex.h"
#include "store/store.h"
#include "trials/engine/result_models.h"
#include "trials/engine/suggestion_executor.h"
#include "trials/stopping/early_stopping.h"

namespace vernier {

/// Computes what the service concludes about its studies: which trials to stop
/// early, what a choice of new points may learn from, what the results say, and
/// which trial to rely on. The orchestrator, clients' calls, the API and the
/// limits of studies all ask here, so that each answer is computed and kept
/// once.
///
/// Everything follows from what is stored, so what was forgotten is computed
/// again, and a restart changes no answer. Thread-safe.
class StudyEngines {
 public:
  /// `log` gets one line for the log of the service, from any thread. Borrows
  /// `store`, which must outlive this object.
  StudyEngines(const Store& store, std::function<void(const std::string&)> log)
      : store_(store), log_(std::move(log)) {}

  /// Returns the verdicts of the study's stopping rule on its trials now, of
  /// which `free_slots` more could run. Errors: those of EarlyStopper::Decide.
  absl::StatusOr<EarlyVerdicts> Stops(const StudySnapshot& study,
                                      int free_slots = 0);

  /// Returns a request for `count` points of the study as it is now. They learn
  /// from the study that this one resumes (null: none), and from trainings that
  /// have not come to their end. If the curves of those cannot be read, the log
  /// says so, because points that know less are better than none.
  SuggestionExecutor::Request RequestPoints(const StudySnapshot& study,
                                            const StudySnapshot* resumed,
                                            int count);

  ResultModels& models() { return models_; }

  /// Drops the curves of the study.
  void Forget(StudyId study);
  /// Drops the curves of jobs that have ended, and of studies that are not in
  /// `snapshot`, which must have all there are.
  void ForgetEnded(const StoreSnapshot& snapshot);

 private:
  // Calls `use` with the study's stopper, which nobody else uses meanwhile. A
  // call that comes while another is under way gets a stopper of its own and
  // reads the curves for itself.
  template <typename Use>
  auto WithStopper(StudyId study, const Use& use) {
    std::unique_ptr<EarlyStopper> stopper = Take(study);
    auto answer = use(*stopper);
    Put(study, std::move(stopper));
    return answer;
  }
  /// Returns the results of the studies from which this one learns; null if
  /// there are none. The same as long as none of them is gone, so that models
  /// of them are kept.
  std::shared_ptr<const std::vector<PriorStudy>> PriorsOf(
      const StudySnapshot& study);
  std::unique_ptr<EarlyStopper> Take(StudyId study);
  void Put(StudyId study, std::unique_ptr<EarlyStopper> stopper);

  const Store& store_;  // Does its own locking.
  const std::function<void(const std::string&)> log_;
  ResultModels models_;  // Does its own locking.
  Mutex mu_;             // Held for map look-ups only.
  struct Priors {
    std::shared_ptr<const StudySpec> spec;  // For which they were read.
    std::vector<StudyId> studies;
    std::shared_ptr<const std::vector<PriorStudy>> results;
  };
  std::map<StudyId, Priors> priors_ VERNIER_GUARDED_BY(mu_);
  // Null while a call uses it.
  std::map<StudyId, std::unique_ptr<EarlyStopper>> stoppers_
      VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_ENGINE_STUDY_ENGINES_H_
