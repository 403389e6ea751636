#include "suggest/stopping/median_policy.h"

#include "suggest/curves/training_length.h"
#include "suggest/stopping/median_stopping_rule.h"

namespace vernier {

std::vector<StoppingVerdict> MedianPolicy::Judge(const CurveStudy& study,
                                                 int /*free_slots*/) {
  std::vector<ReferenceTrial> ended;
  for (const TrialCurve& trial : study.trials) {
    const bool is_stopped = trial.state == CurveState::kStoppedEarly;
    if (!is_stopped && trial.state != CurveState::kCompleted) continue;
    if (trial.reports.empty() || trial.breaks_constraint) continue;
    ended.push_back({RunningAverage(trial.reports),
                     trial.final_value.value_or(trial.reports.back().value),
                     is_stopped});
  }
  std::vector<StoppingVerdict> verdicts;
  for (const TrialCurve& trial : study.trials) {
    if (trial.state != CurveState::kRunning || trial.reports.empty()) continue;
    const std::int64_t step = trial.reports.back().step;
    if (step < options_.min_steps.value_or(0)) continue;
    const double best = BestValue(trial.reports, study.goal);
    const MedianVerdict verdict =
        ApplyMedianRule(ended, {step, best}, study.goal);
    if (!verdict.should_stop || IsBestSoFar(study, best)) continue;
    verdicts.push_back({trial.trial, TrialAdvice::kStop, Explain(verdict)});
  }
  return verdicts;
}

}  // namespace vernier
