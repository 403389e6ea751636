#include "suggest/stopping/decay_curve_policy.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "suggest/acquisition/log_expected_improvement.h"
#include "suggest/gp/student_distribution.h"
#include "suggest/stopping/giving_up.h"

namespace vernier {
namespace {

// The prospect of a trial that has to beat the best.
struct PredictedProspect : Prospect {
  PredictedFinal final;
  double gain_per_step = 0;  // Expected, on the model's scale.
};

std::optional<PredictedProspect> ProspectOf(CurveModel* model,
                                            const TrialCurve& trial) {
  const std::optional<TrialOutlook> outlook = model->Judge(trial);
  if (!outlook.has_value()) return std::nullopt;
  const NormalValue& best = model->best_without_luck();
  const auto log_gain = [&](double mean, double variance) {
    return ComputeLogExpectedImprovement(mean, variance + best.variance,
                                         best.mean)
        .value;
  };
  const PredictedFinal& final = outlook->final;
  const auto last = static_cast<double>(model->last_step());
  const double steps_left =
      std::max(1.0, last - static_cast<double>(trial.reports.back().step));
  const double log_per_step =
      log_gain(final.mean, final.variance) - std::log(steps_left);
  // Predictions err further, and more often, than their variances say, so the
  // tails are heavier than a normal distribution's.
  const double win_probability = StudentCumulative(
      (final.mean - best.mean) / std::sqrt(final.variance + best.variance));
  PredictedProspect prospect{
      {win_probability, std::nullopt}, final, std::exp(log_per_step)};
  if (outlook->before.has_value()) {
    const NormalValue& before = *outlook->before;
    prospect.worth = std::exp(
        log_per_step - log_gain(before.mean, before.variance) + std::log(last));
  }
  return prospect;
}

// Returns the predicted final value of a trial and its chance to beat the best,
// in words.
std::string ProspectText(const CurveModel& model,
                         const PredictedProspect& prospect,
                         const char* likelihood) {
  const double deviation = std::sqrt(prospect.final.variance);
  const CurveScale& scale = model.scale();
  const double one = scale.ToValue(prospect.final.mean - deviation);
  const double other = scale.ToValue(prospect.final.mean + deviation);
  return absl::StrFormat(
      "it is expected to end at %.4g (%.4g to %.4g) and %s "
      "beat the best, %.4g (%s)",
      scale.ToValue(prospect.final.mean), std::min(one, other),
      std::max(one, other), likelihood, model.best_value(),
      ChanceText(prospect.win_probability));
}

std::string SayStopped(const char* verb, const CurveModel& model,
                       const TrialCurve& trial,
                       const PredictedProspect& prospect) {
  return absl::StrCat(
      "The decay curve rule ", verb, " it at ", StepText(model, trial), ": ",
      ProspectText(model, prospect, UnlikelyText(prospect.win_probability)),
      ", so its steps are better spent on another trial.");
}

std::string SayResumed(const CurveModel& model, const TrialCurve& trial,
                       const PredictedProspect& prospect) {
  return absl::StrCat("The decay curve rule resumes it at ",
                      StepText(model, trial), ": by what was learnt since, ",
                      ProspectText(model, prospect, "may"),
                      ", so its steps are worth more than a new trial's.");
}

}  // namespace

std::vector<StoppingVerdict> DecayCurvePolicy::Judge(const CurveStudy& study,
                                                     int free_slots) {
  CurveModel* const model = models_->Get(study);
  if (model == nullptr || !model->has_best()) return {};
  VerdictList verdicts;
  const double left_after_stops = LeftAfterStopsInARow(study);
  for (const TrialCurve& trial : study.trials) {
    if (trial.reports.empty()) continue;
    const double threshold = GivingUpThreshold(options_, *model, trial);
    if (trial.state == CurveState::kPaused && study.can_resume) {
      const std::optional<PredictedProspect> prospect =
          ProspectOf(model, trial);
      const double to_resume = ResumingThreshold(threshold);
      if (!prospect.has_value() || prospect->win_probability < to_resume) {
        continue;
      }
      verdicts.AddResume(prospect->gain_per_step, trial.trial,
                         SayResumed(*model, trial, *prospect));
    }
    if (trial.state != CurveState::kRunning ||
        !MayBeGivenUp(options_, *model, study, trial)) {
      continue;
    }
    const std::optional<PredictedProspect> prospect = ProspectOf(model, trial);
    const double to_stop = threshold * left_after_stops;
    if (!prospect.has_value() || prospect->win_probability >= to_stop ||
        IsWorthGoingOn(*prospect, threshold) ||
        KeepsUp(*model, trial, prospect->final)) {
      continue;
    }
    verdicts.Add({trial.trial,
                  study.can_resume ? TrialAdvice::kPause : TrialAdvice::kStop,
                  SayStopped(study.can_resume ? "paused" : "stopped", *model,
                             trial, *prospect)});
  }
  return std::move(verdicts).Take(free_slots);
}

}  // namespace vernier
