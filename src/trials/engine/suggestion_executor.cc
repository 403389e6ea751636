#include "trials/engine/suggestion_executor.h"

#include <chrono>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "study/algorithm_name.h"
#include "suggest/suggester_factory.h"
#include "trials/engine/study_view.h"

namespace vernier {
namespace {

// A study has one suggester, at most one request that waits and at most one
// computation under way. When a request may start, its study gets a turn at the
// end of turns_, and one task is queued in the pool. A task serves the first
// turn (Next), which may be another study's than the one it was queued for, so
// that studies take turns. Finish gives a study its next turn if a newer
// request came meanwhile. The lock is not held while a suggester computes.

// Returns whether models made for the first spec hold for the second. A model
// of an edited search would take old places for new ones.
bool KnowsSpace(const std::shared_ptr<const StudySpec>& known,
                const std::shared_ptr<const StudySpec>& asked) {
  return known == asked || known == nullptr || asked == nullptr ||
         known->parameters == asked->parameters;
}

double Milliseconds(std::chrono::microseconds time) {
  return static_cast<double>(time.count()) / 1000;
}

}  // namespace

SuggestionExecutor::SuggestionExecutor(const Clock& clock, ThreadPool* pool,
                                       std::function<void(StudyId)> on_ready)
    : clock_(clock), pool_(pool), on_ready_(std::move(on_ready)) {}

SuggestionExecutor::~SuggestionExecutor() {
  std::unique_lock lock(mu_);
  stopping_ = true;
  idle_.wait(lock, [this] { return scheduled_ == 0; });
}

void SuggestionExecutor::Submit(Request request) {
  const StudyId id = request.study;
  bool may_start = false;
  {
    const std::lock_guard lock(mu_);
    Study& study = studies_[id];
    if (study.suggester == nullptr ||
        !KnowsSpace(study.spec, request.progress.spec)) {
      study.suggester = MakeSuggester(request.algorithm);
    }
    study.spec = request.progress.spec;
    may_start = !study.waiting.has_value() && !study.under_way.has_value();
    if (may_start) turns_.push_back(id);
    study.waiting = std::move(request);
  }
  if (may_start) Schedule();
}

void SuggestionExecutor::Schedule() {
  {
    const std::lock_guard lock(mu_);
    ++scheduled_;
  }
  if (pool_ == nullptr) return TakeTurn();
  pool_->Run([this] { TakeTurn(); });
}

void SuggestionExecutor::TakeTurn() {
  std::shared_ptr<Suggester> suggester;
  if (std::optional<Request> request = Next(&suggester)) {
    Finish(request->study, Compute(*suggester, *request));
  }
  const std::lock_guard lock(mu_);
  --scheduled_;
  idle_.notify_all();
}

std::optional<SuggestionExecutor::Request> SuggestionExecutor::Next(
    std::shared_ptr<Suggester>* suggester) {
  const std::lock_guard lock(mu_);
  while (!turns_.empty() && !stopping_) {
    const auto found = studies_.find(turns_.front());
    turns_.pop_front();
    if (found == studies_.end()) continue;
    Study& study = found->second;
    if (!study.waiting.has_value() || study.under_way.has_value()) continue;
    Request request = std::move(*study.waiting);
    study.waiting.reset();
    study.under_way =
        Request{request.study,    request.algorithm,   request.count,
                request.progress, request.seen_events, {}};
    *suggester = study.suggester;
    return request;
  }
  return std::nullopt;
}

SuggestionExecutor::Result SuggestionExecutor::Compute(
    Suggester& suggester, const Request& request) const {
  const SteadyTime start = clock_.Steady();
  Result result{request.progress, request.seen_events, request.count,
                suggester.Suggest(request.view, request.count)};
  if (!result.suggestions.ok() &&
      !absl::IsResourceExhausted(result.suggestions.status())) {
    // If a model cannot be fitted, the study must continue without it.
    const std::string why(result.suggestions.status().message());
    result.suggestions = MakeSuggester(Algorithm::kRandomSearch)
                             ->Suggest(request.view, request.count);
    if (result.suggestions.ok()) {
      for (Suggestion& suggestion : *result.suggestions) {
        suggestion.record.fallback = "the model could not be fitted: " + why;
      }
    }
  }
  if (result.suggestions.ok()) {
    const double each = Milliseconds(clock_.Steady() - start) /
                        static_cast<double>(result.suggestions->size());
    for (Suggestion& suggestion : *result.suggestions) {
      suggestion.record.milliseconds = each;
    }
  }
  return result;
}

void SuggestionExecutor::Finish(StudyId id, Result result) {
  bool has_more = false;
  {
    const std::lock_guard lock(mu_);
    const auto found = studies_.find(id);
    if (found != studies_.end()) {
      Study& study = found->second;
      study.under_way.reset();
      study.result = std::move(result);
      has_more = study.waiting.has_value();
      if (has_more) turns_.push_back(id);
    }
  }
  if (has_more) Schedule();
  on_ready_(id);
}

bool SuggestionExecutor::IsWorking(StudyId id, const StudyProgress& progress,
                                   int count) const {
  const auto fits = [&](const std::optional<Request>& request) {
    return request.has_value() && request->progress == progress &&
           request->count >= count;
  };
  const std::lock_guard lock(mu_);
  const auto found = studies_.find(id);
  return found != studies_.end() &&
         (fits(found->second.waiting) || fits(found->second.under_way));
}

std::optional<SuggestionExecutor::Result> SuggestionExecutor::Take(StudyId id) {
  const std::lock_guard lock(mu_);
  const auto found = studies_.find(id);
  if (found == studies_.end()) return std::nullopt;
  return std::exchange(found->second.result, std::nullopt);
}

void SuggestionExecutor::Forget(const std::function<bool(StudyId)>& is_done) {
  const std::lock_guard lock(mu_);
  // A computation under way keeps its own pointer to the suggester, and nobody
  // takes its result.
  std::erase_if(studies_,
                [&](const auto& entry) { return is_done(entry.first); });
}

StudyProgress ProgressOf(const StudySnapshot& study) {
  return {study.trials.size(), study.trials.size() - study.open.size(),
          study.proposed.size(), study.spec};
}

SuggestionExecutor::Request MakeSuggestionRequest(const StudySnapshot& study,
                                                  const StudySnapshot* resumed,
                                                  int count) {
  const Algorithm algorithm = study.spec->algorithm;
  return {study.id,
          algorithm,
          count,
          ProgressOf(study),
          study.last_event,
          MakeStudyViewFor(algorithm, study, resumed)};
}

NewTrial TrialOf(const StudySnapshot& study, EventSequence seen_events,
                 Suggestion point) {
  return {std::move(point.parameters),
          {AlgorithmName(study.spec->algorithm), seen_events,
           std::move(point.record)}};
}

}  // namespace vernier
