#include "trials/limits/study_limits.h"

#include <algorithm>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/number_text.h"
#include "study/words/duration_text.h"
#include "trials/engine/time_budget.h"
#include "trials/results/best_trials.h"
#include "trials/results/point_means.h"

namespace vernier {
namespace {

// A program may report steps of any size, and their sum must not overflow.
constexpr std::int64_t kLongest = std::int64_t{1} << 40;

// Returns the time of an attempt on its GPUs. The record of an ended one has
// it.
std::chrono::microseconds RunTime(const AttemptKey& key,
                                  const AttemptRecord& attempt,
                                  const RunTimes& live) {
  if (IsTerminal(attempt.state)) return attempt.lasted;
  const auto found = live.find(key);
  return found == live.end() ? std::chrono::microseconds(0) : found->second;
}

}  // namespace

StudyUse UseOf(JobRef job, const RunTimes& live) {
  StudyUse use;
  const Goal goal = ObjectiveOf(*job->spec).goal;
  if (IsRepeating(job->spec->repeats)) {
    // One lucky result does not reach a target.
    const TrialRecord* const best = BestTrial(job);
    if (best != nullptr) {
      use.best = PointMeanOf(job, best->id)->mean;
      use.best_trial = best->id;
    }
  }
  for (std::size_t n = 1; n <= job->trials.size(); ++n) {
    const std::shared_ptr<const TrialRecord> shared =
        job->trials.Share(TrialId{static_cast<std::int64_t>(n)});
    const TrialRecord& trial = *shared;
    if (!IsRepeating(job->spec->repeats) && MayBeBest(job, BriefOf(trial)) &&
        (!use.best.has_value() ||
         IsWorse(*use.best, trial.final_measurement->value, goal))) {
      use.best = trial.final_measurement->value;
      use.best_trial = trial.id;
    }
    if (trial.objective.last.has_value()) {
      use.steps +=
          std::clamp<std::int64_t>(trial.objective.last->step, 0, kLongest);
    }
    for (const AttemptRecord& attempt : trial.attempts) {
      use.gpu_time +=
          GpusOf(*job.run().spec, attempt) *
          RunTime({job->id, trial.id, attempt.number}, attempt, live);
    }
  }
  return use;
}

std::optional<EnoughDone> ReachedLimit(
    const StudySpec& study, const StudyUse& use,
    const std::optional<NextTrialPromise>& promise) {
  const StudyLimits& limits = study.limits;
  const MetricGoal& objective = ObjectiveOf(study);
  if (limits.target.has_value() && use.best.has_value() &&
      !IsWorse(*use.best, *limits.target, objective.goal)) {
    return EnoughDone{
        absl::StrCat("trial ", ToInt(use.best_trial),
                     " has reached the target ", NumberText(*limits.target),
                     " (vernier.limits.target): ", objective.name, " = ",
                     NumberText(*use.best)),
        true};
  }
  if (limits.max_time.has_value() && use.ran_for >= *limits.max_time) {
    return EnoughDone{
        absl::StrCat("the job has run for ", DurationText(use.ran_for), " of ",
                     DurationText(*limits.max_time),
                     " (vernier.limits.maxTime)"),
        true};
  }
  if (limits.max_steps.has_value() && use.steps >= *limits.max_steps) {
    return EnoughDone{
        absl::StrCat("its trials have trained ", use.steps, " of ",
                     *limits.max_steps, " steps (vernier.limits.maxSteps)"),
        true};
  }
  if (limits.max_gpu_time.has_value() && use.gpu_time >= *limits.max_gpu_time) {
    return EnoughDone{absl::StrCat("its trials have used GPUs for ",
                                   DurationText(use.gpu_time), " of ",
                                   DurationText(*limits.max_gpu_time),
                                   " (vernier.limits.maxGpuTime)"),
                      true};
  }
  if (limits.no_progress.has_value() && promise.has_value()) {
    const NoProgressLimit& limit = *limits.no_progress;
    const double gain = limit.trials * promise->expected_gain;
    if (gain < limit.gain) {
      return EnoughDone{
          absl::StrCat("the next ", limit.trials, " trials promise to improve ",
                       objective.name, " by at most ",
                       absl::StrFormat("%.3g", gain), ", which is less than ",
                       NumberText(limit.gain), " (vernier.limits.noProgress)"),
          false};
    }
  }
  return std::nullopt;
}

}  // namespace vernier
