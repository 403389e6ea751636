#ifndef VERNIER_TRIALS_STOPPING_EARLY_STOPPERS_H_
#define VERNIER_TRIALS_STOPPING_EARLY_STOPPERS_H_

#include <map>
#include <memory>
#include <utility>

#include "base/mutex.h"
#include "store/store.h"
#include "trials/stopping/early_stopping.h"

namespace vernier {

/// Lends an EarlyStopper to whoever asks about a study that clients run. It
/// keeps what it has read until the study is forgotten. Thread-safe.
class EarlyStoppers {
 public:
  /// Borrows `store`, which must outlive this object.
  explicit EarlyStoppers(const Store& store) : store_(store) {}

  /// Calls `use` with the study's stopper, which nobody else uses meanwhile. A
  /// call that comes while another is under way reads the curves for itself.
  template <typename Use>
  auto With(StudyId study, const Use& use) {
    std::unique_ptr<EarlyStopper> stopper = Take(study);
    auto answer = use(*stopper);
    Put(study, std::move(stopper));
    return answer;
  }

  void Forget(StudyId study);

 private:
  std::unique_ptr<EarlyStopper> Take(StudyId study);
  void Put(StudyId study, std::unique_ptr<EarlyStopper> stopper);

  const Store& store_;  // Does its own locking.
  Mutex mu_;            // Held for map look-ups only.
  // Null while a call uses it.
  std::map<StudyId, std::unique_ptr<EarlyStopper>> stoppers_
      VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_STOPPING_EARLY_STOPPERS_H_
