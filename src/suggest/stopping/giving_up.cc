#include "suggest/stopping/giving_up.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "base/percent_text.h"
#include "suggest/curves/training_length.h"

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

}  // namespace

// Giving a trial up saves the rest of its training and loses what its end would
// have taught, which is the same however much is left. So the threshold falls
// with the rest, and with its square, since near the end all remaining trials
// are those that no curve distinguishes.
double GivingUpThreshold(const EarlyStoppingOptions& options,
                         const CurveModel& model, const TrialCurve& trial) {
  const double rest = std::max(0.0, 1 - model.PartOf(trial));
  return options.min_win_probability *
         std::min(1.0, kManyComplete / model.num_complete()) * rest * rest;
}

double LeftAfterStopsInARow(const CurveStudy& study) {
  const int stops = StopsInARow(study);
  if (stops >= kMaxStopsInARow) return 0;
  return 1 / (1 + stops / kStopsToDoubt);
}

double ResumingThreshold(double threshold) {
  return std::min(0.5, kResumeFactor * threshold);
}

bool IsWorthGoingOn(const Prospect& prospect, double threshold) {
  return prospect.win_probability >= kHopeless * threshold &&
         prospect.worth.value_or(0) >= kMinWorth;
}

bool MayBeGivenUp(const EarlyStoppingOptions& options, const CurveModel& model,
                  const CurveStudy& study, const TrialCurve& trial) {
  const double part = model.PartOf(trial);
  if (trial.reports.size() <= kFewReports &&
      model.NoiseAt(model.best()) > kNoticeableNoise) {
    return false;
  }
  return trial.reports.back().step >= options.min_steps.value_or(1) &&
         part >= CurveModel::kMinPart && part < 1 &&
         !IsBestSoFar(study, BestValue(trial.reports, study.goal));
}

bool KeepsUp(const CurveModel& model, const TrialCurve& trial,
             const PredictedFinal& predicted) {
  const std::optional<double> best = model.BestCurveAt(predicted.level);
  if (!best.has_value()) return false;
  const double deviation =
      model.NoiseAt(predicted.value_there) *
      std::sqrt(2 / ReportsAt(model, trial.reports, predicted.level));
  return predicted.value_there + kMostByNoise * deviation >= *best;
}

std::string ChanceText(double probability) {
  constexpr double kSmallest = 1e-4;
  if (probability < kSmallest) return "less than 0.01 %";
  return PercentText(probability);
}

std::vector<StoppingVerdict> VerdictList::Take(int free_slots) && {
  std::stable_sort(
      resumes_.begin(), resumes_.end(),
      [](const auto& a, const auto& b) { return a.first > b.first; });
  for (auto& [gain, verdict] : resumes_) {
    if (free_slots-- <= 0) break;
    verdicts_.push_back(std::move(verdict));
  }
  std::sort(verdicts_.begin(), verdicts_.end(),
            [](const auto& a, const auto& b) { return a.trial < b.trial; });
  return std::move(verdicts_);
}

std::string StepText(const CurveModel& model, const TrialCurve& trial) {
  return absl::StrCat("step ", trial.reports.back().step, " of ",
                      model.last_step());
}

const char* UnlikelyText(double win_probability) {
  constexpr double kAlmostSurely = 0.01;
  return win_probability < kAlmostSurely ? "will almost surely not"
                                         : "will probably not";
}

}  // namespace vernier
