#include "suggest/stopping/median_stopping_rule.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/median.h"
#include "suggest/curves/training_length.h"

namespace vernier {
namespace {

// Returns the first step at which a trial may be stopped; nullopt if no
// training has come to its end.
std::optional<double> FirstStep(const std::vector<ReferenceTrial>& ended) {
  std::vector<double> last_steps;
  for (const ReferenceTrial& reference : ended) {
    if (reference.is_stopped_early) continue;
    last_steps.push_back(
        static_cast<double>(reference.running_average.back().step));
  }
  if (last_steps.empty()) return std::nullopt;
  return std::max(1.0, kMinPartOfTraining * Median(std::move(last_steps)));
}

// True if no ended training went further. This one is then nearly over, and a
// stop would only lose its final report.
bool IsAtItsEnd(const std::vector<ReferenceTrial>& ended, std::int64_t step) {
  return std::none_of(ended.begin(), ended.end(), [&](const auto& reference) {
    return reference.running_average.back().step > step;
  });
}

bool IsBestSoFar(const std::vector<ReferenceTrial>& ended, double value,
                 Goal goal) {
  return std::none_of(ended.begin(), ended.end(), [&](const auto& reference) {
    return IsWorse(value, reference.final_value, goal);
  });
}

}  // namespace

MedianVerdict ApplyMedianRule(const std::vector<ReferenceTrial>& ended,
                              const RunningTrial& trial, Goal goal) {
  MedianVerdict verdict;
  verdict.trial = trial;
  verdict.goal = goal;
  std::vector<double> averages;
  for (const ReferenceTrial& reference : ended) {
    const std::optional<double> average =
        ValueAt(reference.running_average, trial.last_step);
    if (average.has_value()) averages.push_back(*average);
  }
  verdict.references = static_cast<int>(averages.size());
  if (verdict.references < kMinReferences) return verdict;
  verdict.median = Median(std::move(averages));
  const std::optional<double> first_step = FirstStep(ended);
  verdict.should_stop = first_step.has_value() &&
                        static_cast<double>(trial.last_step) >= *first_step &&
                        IsWorse(trial.best_value, verdict.median, goal) &&
                        !IsAtItsEnd(ended, trial.last_step) &&
                        !IsBestSoFar(ended, trial.best_value, goal);
  return verdict;
}

std::string Explain(const MedianVerdict& verdict) {
  return absl::StrFormat(
      "The median rule stopped it at step %d: its best value so far, %.6g, is "
      "%s %.6g, the median of what %d earlier trials had on average by then.",
      verdict.trial.last_step, verdict.trial.best_value,
      verdict.goal == Goal::kMaximize ? "below" : "above", verdict.median,
      verdict.references);
}

}  // namespace vernier
