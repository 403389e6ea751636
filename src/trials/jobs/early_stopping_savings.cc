#include "trials/jobs/early_stopping_savings.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

// A program may report steps of any size, and their sum must not overflow.
constexpr std::int64_t kLongest = std::int64_t{1} << 40;

std::int64_t StepsOf(const TrialBrief& trial) {
  if (!trial.last.has_value()) return 0;
  return std::clamp<std::int64_t>(trial.last->step, 0, kLongest);
}

std::int64_t MedianOf(std::vector<std::int64_t> steps) {
  if (steps.empty()) return 0;
  const auto middle =
      steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return *middle;
}

}  // namespace

std::optional<EarlyStoppingSavings> SavingsOf(const StudySnapshot& study) {
  const int stopped = CountOf(study.ended, TrialEndCause::kStoppedEarly);
  if (stopped == 0) return std::nullopt;
  EarlyStoppingSavings savings;
  savings.stopped_trials = stopped;
  for (const auto& [cause, count] : study.ended) savings.ended_trials += count;
  std::vector<std::int64_t> whole;
  std::vector<std::int64_t> cut;
  for (std::size_t n = 1; n <= study.trials.size(); ++n) {
    const TrialBrief trial =
        study.trials.Brief(TrialId{static_cast<std::int64_t>(n)});
    if (IsDeleted(trial)) continue;
    const std::int64_t steps = StepsOf(trial);
    savings.trained_steps += steps;
    if (trial.end_cause == TrialEndCause::kSuccess) whole.push_back(steps);
    if (trial.end_cause == TrialEndCause::kStoppedEarly) cut.push_back(steps);
  }
  const std::int64_t full = MedianOf(std::move(whole));
  for (const std::int64_t steps : cut) {
    savings.saved_steps += std::max<std::int64_t>(0, full - steps);
  }
  return savings;
}

std::string DescribeSavings(const EarlyStoppingSavings& savings) {
  const std::int64_t all = savings.trained_steps + savings.saved_steps;
  const double percent = all == 0
                             ? 0
                             : 100 * static_cast<double>(savings.saved_steps) /
                                   static_cast<double>(all);
  return absl::StrCat(
      savings.stopped_trials, " of ", savings.ended_trials,
      savings.stopped_trials == 1 ? " trials was" : " trials were",
      " stopped early, which saved ", savings.saved_steps, " of ", all,
      " steps (", std::lround(percent), " %)");
}

}  // namespace vernier
