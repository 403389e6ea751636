#include "trials/stopping/early_stopping.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "store/metric_summary.h"
#include "suggest/curves/learn_from_curves.h"
#include "suggest/stopping/metrics_policy_factory.h"
#include "suggest/stopping/stopping_policy_factory.h"

namespace vernier {
namespace {

// Returns whether a rule could have a verdict on the trial.
bool IsAsked(const StudySnapshot& study, const TrialRecord& trial) {
  if (trial.state != TrialState::kActive) return false;
  return std::any_of(study.spec->metrics.begin(), study.spec->metrics.end(),
                     [&](const MetricGoal& metric) {
                       const MetricSummary* const summary =
                           FindSummary(*study.spec, trial, metric.name);
                       if (summary == nullptr || !summary->last.has_value())
                         return false;
                       if (trial.attempts.empty() || IsPaused(trial))
                         return true;
                       const AttemptRecord& attempt = trial.attempts.back();
                       return !IsTerminal(attempt.state) &&
                              !attempt.kill_wanted &&
                              (study.spec->can_resume ||
                               summary->last_attempt == attempt.number);
                     });
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
  std::uint64_t revision = 0;
  for (const MetricMemory& metric : memory_->metrics) {
    revision += metric.curves.revision();
  }
  const std::pair now(revision, std::max(0, free_slots));
  // The orchestrator asks at each step, and most steps bring no report.
  if (memory_->judged != now) {
    memory_->verdicts = ByAdvice(Judge(study, now.second));
    memory_->judged = now;
  }
  return memory_->verdicts;
}

absl::Status EarlyStopper::Learn(const StudySnapshot& study, StudyView* view) {
  if (!HasCutShort(study)) return absl::OkStatus();
  VERNIER_RETURN_IF_ERROR(Recall(study));
  for (std::size_t i = 0; i < memory_->metrics.size(); ++i) {
    const MetricMemory& metric = memory_->metrics[i];
    LearnFromCurves(metric.curves.curves(), metric.models.get(), view, i);
  }
  return absl::OkStatus();
}

std::vector<StoppingVerdict> EarlyStopper::Judge(const StudySnapshot& study,
                                                 int free_slots) {
  if (memory_->policy != nullptr) {
    return memory_->policy->Judge(memory_->metrics[0].curves.curves(),
                                  free_slots);
  }
  std::vector<MetricCurves> metrics;
  for (std::size_t i = 0; i < memory_->metrics.size(); ++i) {
    metrics.push_back(
        {study.spec->metrics[i].name, &memory_->metrics[i].curves.curves()});
  }
  return memory_->metrics_policy->Judge(metrics, free_slots);
}

absl::Status EarlyStopper::Recall(const StudySnapshot& study) {
  const StudySpec& spec = *study.spec;
  // By this setting other attempts count, and after an edit of the search other
  // trials do, so the curves are read again.
  if (memory_ == nullptr || memory_->can_resume != spec.can_resume ||
      memory_->spec->parameters != spec.parameters ||
      memory_->metrics.size() != spec.metrics.size()) {
    memory_ = std::make_unique<Memory>();
    memory_->can_resume = spec.can_resume;
    for (std::size_t i = 0; i < spec.metrics.size(); ++i) {
      memory_->metrics.push_back({StudyCurves(store_, i)});
    }
  }
  memory_->spec = study.spec;
  for (MetricMemory& metric : memory_->metrics) {
    VERNIER_RETURN_IF_ERROR(metric.curves.Update(study));
  }
  const bool has_policy =
      memory_->policy != nullptr || memory_->metrics_policy != nullptr;
  if (!has_policy || memory_->rule != spec.stopping_rule ||
      memory_->options != spec.stopping_options) {
    memory_->rule = spec.stopping_rule;
    memory_->options = spec.stopping_options;
    MakePolicy();
    memory_->judged.reset();
  }
  return absl::OkStatus();
}

void EarlyStopper::MakePolicy() {
  std::vector<std::shared_ptr<CurveModelCache>> models;
  for (MetricMemory& metric : memory_->metrics) {
    metric.models = std::make_shared<CurveModelCache>(memory_->options);
    models.push_back(metric.models);
  }
  memory_->policy = nullptr;
  memory_->metrics_policy = nullptr;
  if (models.size() == 1) {
    memory_->policy =
        MakeStoppingPolicy(memory_->rule, memory_->options, models.front());
  } else {
    memory_->metrics_policy =
        MakeMetricsPolicy(memory_->rule, memory_->options, models);
  }
}

}  // namespace vernier
