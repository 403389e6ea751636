#ifndef VERNIER_TRIALS_ENGINE_SUGGESTION_EXECUTOR_H_
#define VERNIER_TRIALS_ENGINE_SUGGESTION_EXECUTOR_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/thread_pool.h"
#include "store/store.h"
#include "study/ids.h"
#include "study/job_spec.h"
#include "suggest/algorithms/suggester.h"
#include "suggest/suggester_factory.h"

namespace vernier {

/// The state of a study on which its suggestions depend. Trials are only ever
/// added and ended, and points proposed, so three numbers distinguish its
/// states between two edits of its search.
struct StudyProgress {
  std::size_t trials_created = 0;
  std::size_t trials_ended = 0;
  std::size_t points_proposed = 0;
  /// The study's own; another object may be another search. Shared with the
  /// study, so that its address stays its own.
  std::shared_ptr<const StudySpec> spec = nullptr;

  friend bool operator==(const StudyProgress&, const StudyProgress&) = default;
};

/// Chooses points on the threads of a pool, so that no caller waits while a
/// model is fitted. Each study has at most one computation under way, and
/// studies take turns, so none can starve another.
///
/// The clock decides from which state a suggestion is made, but not what that
/// state gives. Thread-safe.
class SuggestionExecutor {
 public:
  struct Request {
    StudyId study{};
    Algorithm algorithm = Algorithm::kDefault;
    int count = 1;  ///< >= 1.
    StudyProgress progress;
    EventSequence seen_events{};
    StudyView view;
  };

  struct Result {
    StudyProgress progress;  ///< The request's.
    EventSequence seen_events{};
    int count = 1;  ///< The points asked for; if fewer came, no more are left.
    absl::StatusOr<std::vector<Suggestion>> suggestions;
  };

  /// Without a pool, Submit computes at once. `on_ready` is called after each
  /// computation, with its study, by the thread that did it. `clock` and `pool`
  /// must outlive this object.
  SuggestionExecutor(const Clock& clock, ThreadPool* pool,
                     std::function<void(StudyId)> on_ready);

  /// Waits for computations under way; its remaining tasks in the pool do
  /// nothing.
  ~SuggestionExecutor();
  SuggestionExecutor(const SuggestionExecutor&) = delete;
  SuggestionExecutor& operator=(const SuggestionExecutor&) = delete;

  /// Computes on the caller's thread, for algorithms that take no time.
  Result Compute(const Request& request) const {
    return Compute(*MakeSuggester(request.algorithm), request);
  }

  /// Replaces a request of the same study that waits for its turn.
  void Submit(Request request);

  /// True if a request for this state and at least `count` points waits or is
  /// under way.
  bool IsWorking(StudyId study, const StudyProgress& progress, int count) const;

  /// Takes the study's last result, if there is one that was not taken.
  std::optional<Result> Take(StudyId study);

  /// Drops everything kept for studies for which `is_done`.
  void Forget(const std::function<bool(StudyId)>& is_done);

 private:
  struct Study {
    std::shared_ptr<Suggester> suggester;   // Used by one thread at a time.
    std::shared_ptr<const StudySpec> spec;  // That the suggester knows.
    std::optional<Request> waiting;
    std::optional<Request> under_way;  // Without its view.
    std::optional<Result> result;
  };

  /// Queues a task in the pool that takes one turn.
  void Schedule();
  void TakeTurn();
  Result Compute(Suggester& suggester, const Request& request) const;
  // Takes a waiting request, or nullopt if there is none.
  std::optional<Request> Next(std::shared_ptr<Suggester>* suggester);
  void Finish(StudyId study, Result result);

  const Clock& clock_;
  ThreadPool* const pool_;  // Null: there is none.
  const std::function<void(StudyId)> on_ready_;
  mutable std::mutex mu_;  // std's, for the condition variable.
  std::condition_variable idle_;
  std::map<StudyId, Study> studies_;
  std::deque<StudyId> turns_;  // Studies with a request that may start.
  bool stopping_ = false;
  int scheduled_ = 0;  // Turns at the pool that are not over.
};

/// Returns the present progress of a study.
StudyProgress ProgressOf(const StudySnapshot& study);

/// Returns a request for `count` points of a study as it is now, which learns
/// from `resumed` as well if that is not null.
SuggestionExecutor::Request MakeSuggestionRequest(const StudySnapshot& study,
                                                  const StudySnapshot* resumed,
                                                  int count);

/// Returns the trial that a point becomes.
NewTrial TrialOf(const StudySnapshot& study, EventSequence seen_events,
                 Suggestion point);

}  // namespace vernier

#endif  // VERNIER_TRIALS_ENGINE_SUGGESTION_EXECUTOR_H_
