#include "trials/jobs/trial_suggestions.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

// Points of the default algorithm are chosen in the background, so a call may
// find none yet, and the orchestrator asks again when on_ready was called. If a
// plan brings results, they are stored and the new trials are planned again
// (kPlanAgain), so that the points take the results into account. The other
// algorithms take no time, and compute at once.

// Returns whether the plan brings new results.
bool EndsTrials(const StudyPlan& plan) {
  return std::any_of(
      plan.changes.begin(), plan.changes.end(), [](const Change& change) {
        const auto* move = ChangeIf<MoveTrial>(change);
        return move != nullptr && move->event != TrialEvent::kRequestStop;
      });
}

// Returns the study that this one resumes; null if there is none, or if it was
// deleted.
const StudySnapshot* ResumedBy(JobRef job, const StoreSnapshot& snapshot) {
  if (!job.run().resumed_study.has_value()) return nullptr;
  const auto found = snapshot.find(*job.run().resumed_study);
  return found == snapshot.end() ? nullptr : found->second.get();
}

// Takes the points given by users, which need no suggester. The rest of the
// planned trials is planned again, because suggestions must take these points
// into account.
TrialSuggestions::Next TakeQueued(JobRef job, std::size_t count) {
  SuggestionRecord record;
  record.method = SuggestionMethod::kUser;
  TrialSuggestions::Next next;
  for (const auto& point : job->queued) {
    if (next.trials.size() == count) return next;
    next.trials.push_back(
        {point->parameters, {"USER", job->last_event, record}});
  }
  if (next.trials.size() < count) {
    next.rest = TrialSuggestions::Rest::kPlanAgain;
  }
  return next;
}

}  // namespace

TrialSuggestions::TrialSuggestions(StudyEngines& engines, const Clock& clock,
                                   const Options& options,
                                   std::function<void()> on_ready,
                                   std::function<void(const std::string&)> log)
    : engines_(engines),
      clock_(clock),
      options_(options),
      log_(std::move(log)),
      executor_(clock, options.fitters,
                [on_ready = std::move(on_ready)](StudyId) { on_ready(); }) {}

TrialSuggestions::Next TrialSuggestions::NextTrials(
    const StoreSnapshot& snapshot, JobRef job, const StudyPlan& plan) {
  const std::size_t count = plan.new_trials.size();
  if (job->spec->parameters.empty()) {
    const NewTrial only{{}, {"NONE", job->last_event, std::nullopt}};
    return {std::vector<NewTrial>(count, only), Rest::kNone};
  }
  if (!job->queued.empty()) return TakeQueued(job, count);
  const bool learns = job->spec->algorithm == Algorithm::kDefault;
  // Results are coming in, and the points should take them into account. They
  // also decide which points are repeated.
  if ((learns || IsRepeating(job->spec->repeats)) && EndsTrials(plan))
    return {{}, Rest::kPlanAgain};
  std::optional<SuggestionExecutor::Result> result =
      learns ? PointsFor(snapshot, job, static_cast<int>(count))
             : executor_.Compute(engines_.RequestPoints(
                   job, ResumedBy(job, snapshot), static_cast<int>(count)));
  if (!result.has_value()) return {{}, Rest::kAwaited};
  return TakeSuggested(job, *std::move(result), count);
}

// Returns the points for the present state of `study` if they have been
// computed, and otherwise requests them. After the deadline, points for an
// earlier state suffice, because new results must not keep the machines idle.
std::optional<SuggestionExecutor::Result> TrialSuggestions::PointsFor(
    const StoreSnapshot& snapshot, JobRef job, int count) {
  const StudyId id = job->id;
  const StudyProgress progress = ProgressOf(job);
  const SteadyTime now = clock_.Steady();
  const SteadyTime since = wanted_since_.try_emplace(id, now).first->second;
  std::optional<SuggestionExecutor::Result> result = executor_.Take(id);
  if (result.has_value() && !(result->progress == progress)) {
    if (result->progress.trials_created == progress.trials_created &&
        result->progress.spec == progress.spec && result->suggestions.ok()) {
      stale_.insert_or_assign(id, *std::move(result));
    }
    result = std::nullopt;
  }
  if (!result.has_value() && !executor_.IsWorking(id, progress, count)) {
    executor_.Submit(
        engines_.RequestPoints(job, ResumedBy(job, snapshot), count));
    result = executor_.Take(id);  // It may have been computed at once.
  }
  if (!result.has_value() && now - since >= options_.deadline) {
    result = TakeStale(id, progress);
  }
  if (result.has_value()) {
    stale_.erase(id);
    wanted_since_.erase(id);
  }
  return result;
}

std::optional<SuggestionExecutor::Result> TrialSuggestions::TakeStale(
    StudyId study, const StudyProgress& progress) {
  const auto stale = stale_.find(study);
  if (stale == stale_.end() ||
      stale->second.progress.trials_created != progress.trials_created ||
      stale->second.progress.spec != progress.spec) {
    return std::nullopt;
  }
  SuggestionExecutor::Result result = std::move(stale->second);
  for (Suggestion& suggestion : *result.suggestions) {
    suggestion.record.fallback =
        "the model of all results was not ready in time";
  }
  return result;
}

TrialSuggestions::Next TrialSuggestions::TakeSuggested(
    JobRef job, SuggestionExecutor::Result result, std::size_t count) {
  Next next;
  bool is_exhausted = false;
  if (result.suggestions.ok()) {
    for (Suggestion& suggestion : *result.suggestions) {
      if (next.trials.size() == count) break;
      if (!suggestion.record.fallback.empty()) {
        Log(job, suggestion.record.fallback);
      }
      next.trials.push_back(
          TrialOf(job, result.seen_events, std::move(suggestion)));
    }
    is_exhausted = std::ssize(*result.suggestions) < result.count;
  } else {
    Log(job, result.suggestions.status().ToString());
    is_exhausted = absl::IsResourceExhausted(result.suggestions.status());
    if (!is_exhausted) next.rest = Rest::kTryLater;
  }
  if (is_exhausted && next.trials.size() < count) {
    exhausted_[job->id] = ProgressOf(job);
    next.rest = Rest::kUsedUp;
  }
  return next;
}

bool TrialSuggestions::IsExhausted(JobRef job) const {
  const auto found = exhausted_.find(job->id);
  if (found == exhausted_.end()) return false;
  const StudyProgress now = ProgressOf(job);
  return found->second.trials_ended == now.trials_ended &&
         found->second.spec == now.spec;
}

void TrialSuggestions::Forget(const std::function<bool(StudyId)>& is_done) {
  executor_.Forget(is_done);
  std::erase_if(stale_,
                [&](const auto& entry) { return is_done(entry.first); });
  std::erase_if(wanted_since_,
                [&](const auto& entry) { return is_done(entry.first); });
  std::erase_if(exhausted_,
                [&](const auto& entry) { return is_done(entry.first); });
}

void TrialSuggestions::Log(JobRef job, const std::string& text) const {
  log_(absl::StrCat("job ", job->name, ": ", text));
}

}  // namespace vernier
