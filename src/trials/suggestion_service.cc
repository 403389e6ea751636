#include "trials/suggestion_service.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "store/study_kinds.h"

namespace vernier {
namespace {

// At most one thread serves a study at a time (Serve); others only add their
// calls to its queue and mark that there is news. A round (ServeRound) plans
// all waiting calls together, commits the trials and answers in one
// transaction, and then calls `done`. If points are still being computed, the
// calls without an answer stay in the queue, no thread waits, and the
// executor's callback begins the next round. If others changed the study before
// the commit, the round is repeated with the same points, at most
// kMostConflicts times in a row.

constexpr int kMostAtOnce = 10000;
constexpr std::size_t kMaxClientId = 1024;
// The most rounds in a row that may fail because others changed the study.
constexpr int kMostConflicts = 20;

absl::Status CheckRequest(const SuggestRequest& request) {
  if (request.count < 1 || request.count > kMostAtOnce) {
    return absl::InvalidArgumentError(
        absl::StrCat("count must be 1 to ", kMostAtOnce, ": ", request.count));
  }
  if (request.client_id.empty() || request.client_id.size() > kMaxClientId) {
    return absl::InvalidArgumentError(
        absl::StrCat("client_id must have 1 to ", kMaxClientId,
                     " bytes: it has ", request.client_id.size()));
  }
  return absl::OkStatus();
}

// Returns the study if it gives out trials to clients.
absl::StatusOr<ClientStudyRef> UsableStudy(const StoreSnapshot& snapshot,
                                           StudyId id) {
  const auto found = snapshot.find(id);
  if (found == snapshot.end()) {
    return absl::NotFoundError("the study was deleted");
  }
  const auto study = AsClientStudy(*found->second);
  if (!study.has_value()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "job ", found->second->name, " is run by the service, not by clients"));
  }
  const StudyState state = study->run().state;
  if (state != StudyState::kActive) {
    return absl::FailedPreconditionError(absl::StrCat(
        "study ", found->second->name, " is ", std::string(ToString(state)),
        ", and only an ACTIVE one gives out trials"));
  }
  return *study;
}

// Returns whether others changed the study between the snapshot and the commit.
bool IsConflict(const absl::Status& status) {
  return absl::IsAborted(status) || absl::IsFailedPrecondition(status) ||
         absl::IsNotFound(status);
}

bool Learns(Algorithm algorithm) { return algorithm == Algorithm::kDefault; }

}  // namespace

// The changes and answers of one round.
struct SuggestionService::Round {
  ClientStudyRef study;
  SuggestionPlan plan;
  std::size_t num_points = 0;  // The points that become trials.
  // The calls that are answered, by position, each with its trials.
  std::vector<std::pair<std::size_t, std::vector<TrialId>>> answers;
  bool ends_study = false;
};

SuggestionService::SuggestionService(const Dependencies& dependencies)
    : dependencies_(dependencies),
      executor_(std::make_unique<SuggestionExecutor>(
          dependencies.clock, dependencies.fitters,
          [this](StudyId study) { OnPointsReady(study); })) {}

SuggestionService::~SuggestionService() {
  Stop();
  // The executor ends before the wait, because its callbacks begin new work.
  executor_.reset();
  std::unique_lock lock(mu_);
  idle_.wait(lock, [this] { return busy_ == 0; });
}

void SuggestionService::Suggest(StudyId study, int count,
                                const std::string& client_id, Done done) {
  const SuggestRequest request{count, client_id};
  absl::Status status = CheckRequest(request);
  if (status.ok()) {
    const std::lock_guard lock(mu_);
    if (!is_stopped_) {
      queues_[study].waiting.push_back({request, std::exchange(done, nullptr)});
      ++busy_;
    }
  }
  if (status.ok() && done != nullptr) {
    status = absl::UnavailableError("the service is stopping");
  }
  if (!status.ok()) return done(status);
  ServeAndLeave(study);
}

void SuggestionService::Stop() {
  std::vector<Call> calls;
  {
    const std::lock_guard lock(mu_);
    is_stopped_ = true;
    for (auto& [id, queue] : queues_) {
      std::move(queue.waiting.begin(), queue.waiting.end(),
                std::back_inserter(calls));
      queue.waiting.clear();
    }
  }
  for (Call& call : calls) {
    call.done(absl::UnavailableError("the service is stopping"));
  }
}

void SuggestionService::Forget(StudyId study) {
  dependencies_.engines.Forget(study);
  executor_->Forget([study](StudyId id) { return id == study; });
  OnPointsReady(study);  // The requested points may not come any more.
}

void SuggestionService::OnPointsReady(StudyId study) {
  {
    const std::lock_guard lock(mu_);
    if (is_stopped_ || queues_.count(study) == 0) return;
  }
  ServeInBackground(study);
}

void SuggestionService::ServeInBackground(StudyId study) {
  {
    const std::lock_guard lock(mu_);
    ++busy_;
  }
  dependencies_.run([this, study] { ServeAndLeave(study); });
}

// Counts itself out at the end, because after a call is answered, the service
// may be destroyed before the thread that serves it has returned.
void SuggestionService::ServeAndLeave(StudyId study) {
  Serve(study);
  const std::lock_guard lock(mu_);
  --busy_;
  idle_.notify_all();
}

void SuggestionService::Serve(StudyId study) {
  std::vector<Call> calls;
  Work work;
  {
    const std::lock_guard lock(mu_);
    const auto queue = queues_.find(study);
    if (queue == queues_.end()) return;
    queue->second.has_news = true;
    if (queue->second.is_served) return;
    queue->second.is_served = true;
    work = std::move(queue->second.work);
  }
  bool again = true;
  while (true) {
    {
      const std::lock_guard lock(mu_);
      Queue& queue = queues_.at(study);
      if (!again && !queue.has_news && !is_stopped_) {
        // Calls without an answer wait for points in front of newer calls,
        // which their own threads serve.
        std::move(queue.waiting.begin(), queue.waiting.end(),
                  std::back_inserter(calls));
        queue.waiting = std::move(calls);
        queue.is_served = false;
        queue.work = std::move(work);
        if (queue.waiting.empty()) queues_.erase(study);
        return;
      }
      queue.has_news = false;
      std::move(queue.waiting.begin(), queue.waiting.end(),
                std::back_inserter(calls));
      queue.waiting.clear();
      if (is_stopped_) break;
    }
    again = ServeRound(study, &calls, &work);
  }
  for (Call& call : calls) {
    call.done(absl::UnavailableError("the service is stopping"));
  }
  const std::lock_guard lock(mu_);
  queues_.erase(study);
}

bool SuggestionService::ServeRound(StudyId id, std::vector<Call>* calls,
                                   Work* work) {
  const auto refuse = [&](const absl::Status& status) {
    for (Call& call : *calls) call.done(status);
    calls->clear();
    return false;
  };
  const auto snapshot = dependencies_.store.Snapshot();
  const absl::StatusOr<ClientStudyRef> usable = UsableStudy(*snapshot, id);
  if (!usable.ok()) return refuse(usable.status());
  const ClientStudyRef study = *usable;

  std::vector<SuggestRequest> requests;
  for (const Call& call : *calls) requests.push_back(call.request);
  Round round{study, PlanSuggestions(study, requests), 0, {}, false};
  FindPoints(study, round.plan.points_for.size(), work);
  if (!work->failure.ok()) {
    return refuse(std::exchange(work->failure, absl::OkStatus()));
  }
  round.num_points =
      std::min(work->points.size(), round.plan.points_for.size());
  DecideAnswers(requests, *work, &round);
  if (round.answers.empty() && round.num_points == 0 &&
      round.plan.given.empty()) {
    return false;
  }
  const Timestamp now = dependencies_.clock.Now();
  const absl::Status stored =
      dependencies_.store.Commit(ChangesOf(round, *calls, *work), now);
  if (IsConflict(stored) && ++work->conflicts < kMostConflicts) return true;
  if (!stored.ok()) {
    return refuse(IsConflict(stored) ? absl::AbortedError(stored.message())
                                     : stored);
  }
  work->conflicts = 0;
  work->points.erase(
      work->points.begin(),
      work->points.begin() + static_cast<std::ptrdiff_t>(round.num_points));
  AnswerCalls(round, now, calls);
  return !calls->empty();
}

// Decides which requests can be answered, and with what, now that the points
// are known.
void SuggestionService::DecideAnswers(
    const std::vector<SuggestRequest>& requests, const Work& work,
    Round* round) {
  const auto created = static_cast<std::int64_t>(round->study->trials.size());
  std::map<std::string, std::vector<TrialId>> points;
  for (std::size_t k = 0; k < round->num_points; ++k) {
    points[round->plan.points_for[k]].push_back(
        TrialId{created + static_cast<std::int64_t>(k) + 1});
  }
  const bool is_all =
      work.is_exhausted && round->num_points == work.points.size();
  bool any_is_empty = false;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    std::vector<TrialId> trials = round->plan.trials[i];
    const auto wanted = static_cast<std::size_t>(requests[i].count);
    for (const TrialId trial : points[requests[i].client_id]) {
      if (trials.size() < wanted) trials.push_back(trial);
    }
    if (trials.size() < wanted && !is_all) continue;
    any_is_empty = any_is_empty || trials.empty();
    round->answers.emplace_back(i, std::move(trials));
  }
  round->ends_study =
      any_is_empty && round->study->open.empty() && round->num_points == 0;
}

std::vector<Change> SuggestionService::ChangesOf(const Round& round,
                                                 const std::vector<Call>& calls,
                                                 const Work& work) const {
  const ClientStudyRef study = round.study;
  const StudyId id = study->id;
  std::vector<Change> changes;
  const auto give = [&](TrialId trial, const std::string& client_id) {
    changes.push_back(AssignTrial{id, trial, client_id});
  };
  const TrialId first{static_cast<std::int64_t>(study->trials.size()) + 1};
  if (round.num_points > 0) {
    CreateTrials create{id, {}, first};
    for (std::size_t k = 0; k < round.num_points; ++k) {
      create.trials.push_back(TrialOf(study, work.seen_events, work.points[k]));
    }
    changes.push_back(std::move(create));
  }
  for (const auto& [trial, client_id] : round.plan.given) {
    give(trial, client_id);
  }
  for (std::size_t k = 0; k < round.num_points; ++k) {
    give(TrialId{ToInt(first) + static_cast<std::int64_t>(k)},
         round.plan.points_for[k]);
  }
  std::int64_t operation = study.run().last_operation;
  for (const auto& [call, trials] : round.answers) {
    changes.push_back(RecordOperation{id, ++operation,
                                      calls[call].request.client_id, trials});
  }
  if (round.ends_study) {
    changes.push_back(MoveStudy{id, StudyState::kCompleted, kUsedUpReason});
  }
  return changes;
}

// Answers the calls that the round has decided, and leaves the others in
// `calls`.
void SuggestionService::AnswerCalls(const Round& round, Timestamp now,
                                    std::vector<Call>* calls) {
  const auto snapshot = dependencies_.store.Snapshot();
  const auto found = snapshot->find(round.study->id);
  const bool is_there = found != snapshot->end();
  std::int64_t operation = round.study.run().last_operation;
  std::vector<Call> answered;
  for (const auto& answer : round.answers) {
    answered.push_back(std::move((*calls)[answer.first]));
  }
  std::erase_if(*calls, [](const Call& call) { return call.done == nullptr; });
  for (std::size_t i = 0; i < answered.size(); ++i) {
    if (is_there) {
      answered[i].done(
          Answer{found->second, ++operation, round.answers[i].second, now});
    } else {
      // The trials were deleted together with the study.
      answered[i].done(absl::NotFoundError("the study was deleted meanwhile"));
    }
  }
}

// Ensures that there are points, or that they are being computed.
void SuggestionService::FindPoints(const StudySnapshot& study,
                                   std::size_t missing, Work* work) {
  const StudyId id = study.id;
  if (work->asked.spec != study.spec) {
    // They are of the search before an edit.
    work->points.clear();
    work->is_computing = false;
  }
  if (work->is_computing) TakePoints(id, work);
  if (missing == 0) {
    work->points.clear();  // They would be out of date when they are wanted.
    return;
  }
  if (!work->points.empty() || work->is_computing) return;
  work->is_exhausted = false;
  SuggestionExecutor::Request request = dependencies_.engines.RequestPoints(
      study, nullptr,
      static_cast<int>(std::min<std::size_t>(missing, kMostAtOnce)));
  work->asked = request.progress;
  if (!Learns(request.algorithm)) {
    return KeepPoints(executor_->Compute(request), work);
  }
  work->is_computing = true;
  executor_->Submit(std::move(request));
  TakePoints(id, work);  // They may have been computed at once.
}

void SuggestionService::TakePoints(StudyId study, Work* work) {
  const bool is_under_way = executor_->IsWorking(study, work->asked, 1);
  std::optional<SuggestionExecutor::Result> result = executor_->Take(study);
  if (!result.has_value()) work->is_computing = is_under_way;  // Or forgotten.
  // A result for another state was computed for clients that no longer wait.
  if (!result.has_value() || !(result->progress == work->asked)) return;
  work->is_computing = false;
  KeepPoints(*std::move(result), work);
}

void SuggestionService::KeepPoints(SuggestionExecutor::Result result,
                                   Work* work) {
  work->seen_events = result.seen_events;
  if (absl::IsResourceExhausted(result.suggestions.status())) {
    work->is_exhausted = true;
    return;
  }
  if (!result.suggestions.ok()) {
    work->failure = result.suggestions.status();
    return;
  }
  work->is_exhausted = std::ssize(*result.suggestions) < result.count;
  work->points = *std::move(result.suggestions);
  for (const Suggestion& point : work->points) {
    if (!point.record.fallback.empty())
      dependencies_.log(point.record.fallback);
  }
}

}  // namespace vernier
