#include "trials/stopping/early_stopping.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "suggest/curves/learn_from_curves.h"
#include "suggest/stopping/stopping_policy_factory.h"

namespace vernier {
namespace {

// Returns whether a rule could have a verdict on the trial.
bool IsAsked(const StudySnapshot& study, const TrialRecord& trial) {
  if (trial.state != TrialState::kActive || !trial.objective.last.has_value()) {
    return false;
  }
  if (trial.attempts.empty() || IsPaused(trial)) return true;
  const AttemptRecord& attempt = trial.attempts.back();
  return !IsTerminal(attempt.state) && !attempt.kill_wanted &&
         (study.spec->can_resume ||
          trial.objective.last_attempt == attempt.number);
}

// Returns whether there is a trial whose unfinished training LearnFromCurves
// can use.
bool HasCutShort(const StudySnapshot& study) {
  return CountOf(study.ended, TrialEndCause::kStoppedEarly) > 0 ||
         std::any_of(study.open.begin(), study.open.end(), [&](TrialId id) {
           const TrialRecord& trial = study.trials.Get(id);
           return IsPaused(trial) || IsPausing(trial);
         });
}

EarlyVerdicts ByAdvice(const std::vector<StoppingVerdict>& list) {
  EarlyVerdicts verdicts;
  for (const StoppingVerdict& verdict : list) {
    const TrialId trial{verdict.trial};
    switch (verdict.advice) {
      case TrialAdvice::kContinue:
        break;
      case TrialAdvice::kStop:
        verdicts.stops.emplace(trial, verdict.reason);
        break;
      case TrialAdvice::kPause:
        verdicts.pauses.emplace(trial, verdict.reason);
        break;
      case TrialAdvice::kResume:
        verdicts.resumes.emplace(trial, verdict.reason);
        break;
    }
  }
  return verdicts;
}

}  // namespace

absl::StatusOr<EarlyVerdicts> EarlyStopper::Decide(const StudySnapshot& study,
                                                   int free_slots) {
  const bool is_any_asked = std::any_of(
      study.open.begin(), study.open.end(),
      [&](TrialId id) { return IsAsked(study, study.trials.Get(id)); });
  if (!is_any_asked) return EarlyVerdicts{};
  VERNIER_RETURN_IF_ERROR(Recall(study));
  const std::pair now(memory_->curves.revision(), std::max(0, free_slots));
  // The orchestrator asks at each step, and most steps bring no report.
  if (memory_->judged != now) {
    memory_->verdicts =
        ByAdvice(memory_->policy->Judge(memory_->curves.curves(), now.second));
    memory_->judged = now;
  }
  return memory_->verdicts;
}

absl::Status EarlyStopper::Learn(const StudySnapshot& study, StudyView* view) {
  if (!HasCutShort(study)) return absl::OkStatus();
  VERNIER_RETURN_IF_ERROR(Recall(study));
  LearnFromCurves(memory_->curves.curves(), memory_->models.get(), view);
  return absl::OkStatus();
}

absl::Status EarlyStopper::Recall(const StudySnapshot& study) {
  const StudySpec& spec = *study.spec;
  // By this setting other attempts count, so the curves are read again.
  if (memory_ == nullptr || memory_->can_resume != spec.can_resume) {
    memory_ = std::make_unique<Memory>(store_);
    memory_->can_resume = spec.can_resume;
  }
  VERNIER_RETURN_IF_ERROR(memory_->curves.Update(study));
  if (memory_->policy == nullptr || memory_->rule != spec.stopping_rule ||
      memory_->options != spec.stopping_options) {
    memory_->rule = spec.stopping_rule;
    memory_->options = spec.stopping_options;
    memory_->models = std::make_shared<CurveModelCache>(memory_->options);
    memory_->policy =
        MakeStoppingPolicy(memory_->rule, memory_->options, memory_->models);
    memory_->judged.reset();
  }
  return absl::OkStatus();
}

}  // namespace vernier
