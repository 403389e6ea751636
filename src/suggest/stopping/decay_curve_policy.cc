#include "suggest/stopping/decay_curve_policy.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "suggest/acquisition/log_expected_improvement.h"
#include "suggest/curves/training_length.h"
#include "suggest/gp/student_distribution.h"

namespace vernier {
namespace {

// A trial continues while one of its steps is worth at least this fraction of a
// new trial's. It is far below 1, because the new trial's value is known before
// its suggestion, and because a training that comes to its end teaches more
// than it wins. Where a search refines, trials differ by less than curves can
// resolve: expectations do not change, and nothing is stopped.
constexpr double kMinWorth = 0.1;

// Below this fraction of the threshold probability, a trial is stopped whatever
// its worth: if its parameters are hopeless, too, the ratio says nothing.
constexpr double kHopeless = 0.1;

// All trials that were given up in a row may have been given up for one
// mistaken belief. Only a training that continues can correct it, while the
// search continues to propose similar trials. So the threshold probability
// falls to half after the first number of stops, and no trial is given up after
// the second.
constexpr double kStopsToDoubt = 10;
constexpr int kMaxStopsInARow = 20;

// After n equal trials the next one is the best with a probability of
// 1 / (n + 1). So the more trainings have ended, the rarer winners are, and the
// lower the probability that distinguishes a trial. From this many on, the
// threshold falls accordingly; with the default it is about twice the
// probability of the next trial.
constexpr double kManyComplete = 7;

// Noise alone separates two equal curves by this many standard deviations in
// one of 20 comparisons, half of these to the trial's disadvantage.
constexpr double kMostByNoise = 2;

// If reports have noise, this few of them are no curve.
constexpr std::size_t kFewReports = 2;

// Below this fraction of the scale's unit, noise changes nothing.
constexpr double kNoticeableNoise = 0.01;

// A paused trial is resumed at this multiple of the probability below which it
// is paused.
constexpr double kResumeFactor = 2;

// Returns the number of trials given up that were suggested after all trainings
// that have come to their end. Counting in the order of ends would differ where
// many run at once: a training that was suggested long ago says little about a
// present belief (bench/duel/RESULTS.md).
int StopsInARow(const CurveStudy& study) {
  int stops = 0;
  for (const TrialCurve& trial : study.trials) {
    if (trial.state == CurveState::kRunning) continue;
    stops = trial.state == CurveState::kCompleted ? 0 : stops + 1;
  }
  return stops;
}

// The basis of a decision about a trial.
struct Prospect {
  PredictedFinal final;
  double win_probability = 0;  // Of ending better than the best so far.
  double gain_per_step = 0;    // Expected, on the model's scale.
  // Relative to a new trial's; nullopt if nothing is known of one.
  std::optional<double> worth;
};

std::optional<Prospect> ProspectOf(CurveModel* model, const TrialCurve& trial) {
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
  Prospect prospect{final, win_probability, std::exp(log_per_step),
                    std::nullopt};
  if (outlook->before.has_value()) {
    const NormalValue& before = *outlook->before;
    prospect.worth = std::exp(
        log_per_step - log_gain(before.mean, before.variance) + std::log(last));
  }
  return prospect;
}

// Returns "12 %", "0.02 %"; for tiny probabilities no digit means anything.
std::string ChanceText(double probability) {
  constexpr double kSmallest = 1e-4;
  if (probability < kSmallest) return "less than 0.01 %";
  return absl::StrFormat("%.2g %%", 100 * probability);
}

// Returns the predicted final value of a trial and its chance to beat the best,
// in words.
std::string ProspectText(const CurveModel& model, const Prospect& prospect,
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

std::string StepOf(const CurveModel& model, const TrialCurve& trial) {
  return absl::StrCat("step ", trial.reports.back().step, " of ",
                      model.last_step());
}

std::string SayStopped(const char* verb, const CurveModel& model,
                       const TrialCurve& trial, const Prospect& prospect) {
  constexpr double kAlmostSurely = 0.01;
  return absl::StrCat("The decay curve rule ", verb, " it at ",
                      StepOf(model, trial), ": ",
                      ProspectText(model, prospect,
                                   prospect.win_probability < kAlmostSurely
                                       ? "will almost surely not"
                                       : "will probably not"),
                      ", so its steps are better spent on another trial.");
}

std::string SayResumed(const CurveModel& model, const TrialCurve& trial,
                       const Prospect& prospect) {
  return absl::StrCat("The decay curve rule resumes it at ",
                      StepOf(model, trial), ": by what was learnt since, ",
                      ProspectText(model, prospect, "may"),
                      ", so its steps are worth more than a new trial's.");
}

// Returns the probability of winning below which a trial may be given up.
// Giving it up saves the rest of its training and loses what its end would have
// taught, which is the same however much is left. So the threshold falls with
// the rest, and with its square, since near the end all remaining trials are
// those that no curve distinguishes.
double ThresholdOf(const EarlyStoppingOptions& options, const CurveModel& model,
                   const TrialCurve& trial) {
  const double rest = std::max(0.0, 1 - model.PartOf(trial));
  return options.min_win_probability *
         std::min(1.0, kManyComplete / model.num_complete()) * rest * rest;
}

// Returns the factor by which stops in a row lower a threshold.
double LeftAfter(int stops_in_a_row) {
  if (stops_in_a_row >= kMaxStopsInARow) return 0;
  return 1 / (1 + stops_in_a_row / kStopsToDoubt);
}

bool IsWorthGoingOn(const Prospect& prospect, double threshold) {
  return prospect.win_probability >= kHopeless * threshold &&
         prospect.worth.value_or(0) >= kMinWorth;
}

// Returns the number of reports that the value at a level is the mean of.
double ReportsAt(const CurveModel& model, const Curve& reports,
                 std::size_t level) {
  const std::int64_t before = level > 0 ? model.step(level - 1) : 0;
  const auto count = std::count_if(
      reports.begin(), reports.end(), [&](const CurvePoint& report) {
        return report.step > before && report.step <= model.step(level);
      });
  return static_cast<double>(std::max<std::ptrdiff_t>(count, 1));
}

// True if the curve is no worse than the best trial's was at that level, or is
// behind by no more than the noise between two equal curves.
bool KeepsUp(const CurveModel& model, const TrialCurve& trial,
             const PredictedFinal& predicted) {
  const std::optional<double> best = model.BestCurveAt(predicted.level);
  if (!best.has_value()) return false;
  const double deviation =
      model.NoiseAt(predicted.value_there) *
      std::sqrt(2 / ReportsAt(model, trial.reports, predicted.level));
  return predicted.value_there + kMostByNoise * deviation >= *best;
}

}  // namespace

std::vector<StoppingVerdict> DecayCurvePolicy::Judge(const CurveStudy& study,
                                                     int free_slots) {
  std::vector<StoppingVerdict> verdicts;
  CurveModel* const model = models_->Get(study);
  if (model == nullptr) return verdicts;
  const double left_after_stops = LeftAfter(StopsInARow(study));
  std::vector<std::pair<double, StoppingVerdict>> resumable;
  for (const TrialCurve& trial : study.trials) {
    if (trial.reports.empty()) continue;
    const double threshold = ThresholdOf(options_, *model, trial);
    if (trial.state == CurveState::kPaused && study.can_resume) {
      const std::optional<Prospect> prospect = ProspectOf(model, trial);
      const double to_resume = std::min(0.5, kResumeFactor * threshold);
      if (!prospect.has_value() || prospect->win_probability < to_resume) {
        continue;
      }
      resumable.push_back({-prospect->gain_per_step,
                           {trial.trial, TrialAdvice::kResume,
                            SayResumed(*model, trial, *prospect)}});
    }
    if (trial.state != CurveState::kRunning || !MayStop(*model, study, trial)) {
      continue;
    }
    const std::optional<Prospect> prospect = ProspectOf(model, trial);
    const double to_stop = threshold * left_after_stops;
    if (!prospect.has_value() || prospect->win_probability >= to_stop ||
        IsWorthGoingOn(*prospect, threshold) ||
        KeepsUp(*model, trial, prospect->final)) {
      continue;
    }
    verdicts.push_back(
        {trial.trial,
         study.can_resume ? TrialAdvice::kPause : TrialAdvice::kStop,
         SayStopped(study.can_resume ? "paused" : "stopped", *model, trial,
                    *prospect)});
  }
  std::stable_sort(
      resumable.begin(), resumable.end(),
      [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [order, verdict] : resumable) {
    if (free_slots-- <= 0) break;
    verdicts.push_back(std::move(verdict));
  }
  std::sort(verdicts.begin(), verdicts.end(),
            [](const auto& a, const auto& b) { return a.trial < b.trial; });
  return verdicts;
}

bool DecayCurvePolicy::MayStop(const CurveModel& model, const CurveStudy& study,
                               const TrialCurve& trial) const {
  const double part = model.PartOf(trial);
  if (trial.reports.size() <= kFewReports &&
      model.NoiseAt(model.best()) > kNoticeableNoise) {
    return false;
  }
  return trial.reports.back().step >= options_.min_steps.value_or(1) &&
         part >= CurveModel::kMinPart && part < 1 &&
         !IsBestSoFar(study, BestValue(trial.reports, study.goal));
}

}  // namespace vernier
