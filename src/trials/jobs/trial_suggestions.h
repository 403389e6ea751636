#ifndef VERNIER_TRIALS_JOBS_TRIAL_SUGGESTIONS_H_
#define VERNIER_TRIALS_JOBS_TRIAL_SUGGESTIONS_H_

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "store/study_kinds.h"
#include "trials/engine/study_engines.h"
#include "trials/engine/suggestion_executor.h"
#include "trials/jobs/study_plan.h"

namespace vernier {

/// Provides the points for a study's next trials: first those given by users,
/// then those that its suggester chooses, which may not be ready at once.
///
/// Not thread-safe: the orchestrator's thread owns it.
class TrialSuggestions {
 public:
  struct Options {
    /// Its threads choose points; if it is null, NextTrials chooses them itself
    /// before it returns. Must outlive this object.
    ThreadPool* fitters = nullptr;
    /// The time to wait for points that take the latest results into account,
    /// before points from earlier results are used.
    std::chrono::milliseconds deadline{2000};
  };

  /// The outcome for those planned trials that got no point.
  enum class Rest {
    kNone,       ///< There are none.
    kAwaited,    ///< Points are being chosen; `on_ready` says when.
    kPlanAgain,  ///< At once, once what is planned now is stored.
    kTryLater,   ///< Choosing them failed, but may succeed the next time.
    kUsedUp,     ///< No untried point is left: IsExhausted is true from now on.
  };
  struct Next {
    std::vector<NewTrial> trials;  ///< At most as many as were planned.
    Rest rest = Rest::kNone;
  };

  /// Any thread calls `on_ready` when awaited points are there; the caller's
  /// thread calls `log`. Borrows `engines` and `clock`.
  TrialSuggestions(StudyEngines& engines, const Clock& clock,
                   const Options& options, std::function<void()> on_ready,
                   std::function<void(const std::string&)> log);

  /// Returns points for the new trials of `plan`, which was made for `job` in
  /// `snapshot`.
  Next NextTrials(const StoreSnapshot& snapshot, JobRef job,
                  const StudyPlan& plan);

  /// Returns true if the suggester found no untried point when as many trials
  /// had ended as now. After a further end, or an edit of the search, it is
  /// asked again, because it may then repeat a point or find new ones.
  bool IsExhausted(JobRef job) const;

  /// Drops the memory for studies for which `is_done`, since a model takes
  /// megabytes. A reopened study makes it again.
  void Forget(const std::function<bool(StudyId)>& is_done);

 private:
  std::optional<SuggestionExecutor::Result> PointsFor(
      const StoreSnapshot& snapshot, JobRef job, int count);
  std::optional<SuggestionExecutor::Result> TakeStale(
      StudyId study, const StudyProgress& progress);
  Next TakeSuggested(JobRef job, SuggestionExecutor::Result result,
                     std::size_t count);
  void Log(JobRef job, const std::string& text) const;

  StudyEngines& engines_;
  const Clock& clock_;
  const Options options_;
  const std::function<void(const std::string&)> log_;
  SuggestionExecutor executor_;
  /// Points that were computed for a state which has changed since.
  std::map<StudyId, SuggestionExecutor::Result> stale_;
  /// The time since which a study has wanted points that are not there.
  std::map<StudyId, SteadyTime> wanted_since_;
  /// Studies without an untried point, and their progress when the suggester
  /// said so.
  std::map<StudyId, StudyProgress> exhausted_;
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_TRIAL_SUGGESTIONS_H_
