#ifndef VERNIER_TRIALS_SUGGESTION_SERVICE_H_
#define VERNIER_TRIALS_SUGGESTION_SERVICE_H_

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "store/store.h"
#include "trials/engine/study_engines.h"
#include "trials/engine/suggestion_executor.h"
#include "trials/suggestion_plan.h"

namespace vernier {

/// Why a study is completed of which no untried point is left.
inline constexpr char kUsedUpReason[] = "every configuration has been tried";

/// Gives trials to clients that run them. Calls for one study that come while
/// another is served are served together: the study is read once, there is one
/// computation and one commit, and no point is given twice. No thread waits
/// while a model is fitted, and a client whose trials exist already does not
/// wait for it at all.
///
/// A client gets its own active trials first, then requested trials, then new
/// points of the study's algorithm, which takes all other open trials into
/// account. Points that were computed while results came in do not take those
/// results into account, because waiting for newer points would keep the
/// clients idle.
///
/// Thread-safe.
class SuggestionService {
 public:
  struct Answer {
    std::shared_ptr<const StudySnapshot> study;
    std::int64_t operation = 0;   ///< Its number in the study.
    std::vector<TrialId> trials;  ///< Active for the client; by id.
    Timestamp answered_at{};
  };
  /// It is called once, from any thread.
  using Done = std::function<void(absl::StatusOr<Answer>)>;

  struct Dependencies {
    Store& store;
    StudyEngines& engines;
    const Clock& clock;
    /// Runs some work soon, on a thread that may wait for the store.
    std::function<void(std::function<void()>)> run;
    /// Receives one line for the log of the service, from any thread.
    std::function<void(const std::string&)> log;
    /// Its threads fit models; if null, the caller's does.
    ThreadPool* fitters = nullptr;
  };

  /// Borrows the objects that `dependencies` refers to; they must outlive this
  /// one.
  explicit SuggestionService(const Dependencies& dependencies);

  /// Waits for work that was handed to `run`, and for threads that are still in
  /// Suggest although all calls were answered. Call Stop before if clients may
  /// still wait.
  ~SuggestionService();
  SuggestionService(const SuggestionService&) = delete;
  SuggestionService& operator=(const SuggestionService&) = delete;

  /// Answers with 1 to `count` trials for the client; with fewer, or none, if a
  /// finite space has no more. A study that then has no trial for a client and
  /// none that is open becomes COMPLETED. The trials of an answer are durable.
  /// May commit on this thread.
  ///
  /// Errors: INVALID_ARGUMENT if count is not in 1 to 10,000 or `client_id` is
  /// empty or longer than 1,024 bytes; NOT_FOUND; FAILED_PRECONDITION if the
  /// study is not active or not run by clients; ABORTED if others changed the
  /// study all the time; UNAVAILABLE after Stop; those of Store::Commit.
  void Suggest(StudyId study, int count, const std::string& client_id,
               Done done);

  /// Drops the model of the study; if the study continues, it is made again.
  void Forget(StudyId study);

  /// Answers all waiting calls, and later ones, with UNAVAILABLE.
  void Stop();

 private:
  struct Call {
    SuggestRequest request;
    Done done;
  };
  /// The state of a study between rounds; one thread uses it at a time.
  struct Work {
    bool is_computing = false;  // Points were requested, but not yet taken.
    StudyProgress asked;        // The state for which they were requested.
    std::vector<Suggestion> points;  // Not yet stored.
    // The events that the points take into account.
    EventSequence seen_events{};
    bool is_exhausted = false;  // There are no more than these.
    absl::Status failure;       // The error of choosing points.
    int conflicts = 0;          // The commits in a row that came too late.
  };
  struct Queue {
    std::vector<Call> waiting;
    bool is_served = false;
    bool has_news = false;  // Calls or points came while it was served.
    Work work;
  };
  struct Round;

  void Serve(StudyId study);
  void ServeInBackground(StudyId study);
  /// Serves the study on a thread that was counted in `busy_`.
  void ServeAndLeave(StudyId study);
  /// Answers those of `calls` that it can, and leaves the others. Returns
  /// whether to try again at once.
  bool ServeRound(StudyId study, std::vector<Call>* calls, Work* work);
  static void DecideAnswers(const std::vector<SuggestRequest>& requests,
                            const Work& work, Round* round);
  std::vector<Change> ChangesOf(const Round& round,
                                const std::vector<Call>& calls,
                                const Work& work) const;
  void AnswerCalls(const Round& round, Timestamp now, std::vector<Call>* calls);
  void FindPoints(const StudySnapshot& study, std::size_t missing, Work* work);
  void TakePoints(StudyId study, Work* work);
  void KeepPoints(SuggestionExecutor::Result result, Work* work);
  /// Serves clients that wait for points of the study, after some may have
  /// come.
  void OnPointsReady(StudyId study);

  const Dependencies dependencies_;
  std::mutex mu_;  // std's, for the condition variable.
  std::condition_variable idle_;
  std::map<StudyId, Queue> queues_;
  int busy_ = 0;  // Threads that serve, or are about to.
  bool is_stopped_ = false;
  // Does its own locking; null once no more points are computed.
  std::unique_ptr<SuggestionExecutor> executor_;
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_SUGGESTION_SERVICE_H_
