#ifndef VERNIER_TRIALS_LIMITS_PROGRESS_WATCH_H_
#define VERNIER_TRIALS_LIMITS_PROGRESS_WATCH_H_

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/thread_pool.h"
#include "store/store.h"
#include "trials/engine/result_models.h"
#include "trials/limits/study_limits.h"

namespace vernier {

/// Finds out what the next trial promises, for studies with a limit on trials
/// without progress. The model of all results is asked on a pool's thread, once
/// for each number of results, so that nobody waits for it.
///
/// Not thread-safe: the orchestrator owns it.
class ProgressWatch {
 public:
  /// Without a pool, PromiseOf computes the promise before it returns. `log`
  /// gets the reason if a promise cannot be computed. Borrows `models`, which
  /// must outlive the pool, too, and `pool`.
  ProgressWatch(ResultModels& models, ThreadPool* pool,
                std::function<void(const std::string&)> log);

  /// Returns the promise by the present results, of which the last few may be
  /// missing: at most as many as trials run at once. nullopt if it is not known
  /// yet, or if there are fewer results than kFewResults or than
  /// NoProgressLimit::trials. `study` must have the limit.
  std::optional<NextTrialPromise> PromiseOf(
      const std::shared_ptr<const StudySnapshot>& study);

  /// Drops what is known of studies for which `is_done`.
  void Forget(const std::function<bool(StudyId)>& is_done);

  /// With fewer results a model may expect nothing beyond them.
  static constexpr int kFewResults = 10;

 private:
  struct Shared;  // Lives as long as a task of the pool.

  ThreadPool* const pool_;  // Null: there is none.
  const std::function<void(const std::string&)> log_;
  const std::shared_ptr<Shared> shared_;
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_LIMITS_PROGRESS_WATCH_H_
