#include "suggest/curves/training_length.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace vernier {
namespace {

// A program may report steps of any size; up to this value doubles hold them
// exactly.
constexpr std::int64_t kLongest = std::int64_t{1} << 53;

}  // namespace

std::optional<std::int64_t> TrainingLength(
    const CurveStudy& study, const EarlyStoppingOptions& options) {
  if (options.max_steps.has_value()) {
    if (*options.max_steps < 2) return std::nullopt;
    return std::min(*options.max_steps, kLongest);
  }
  std::vector<std::int64_t> last_steps;
  for (const TrialCurve& trial : study.trials) {
    if (trial.state != CurveState::kCompleted || trial.reports.empty()) {
      continue;
    }
    last_steps.push_back(trial.reports.back().step);
  }
  if (last_steps.empty()) return std::nullopt;
  const auto middle =
      last_steps.begin() + static_cast<std::ptrdiff_t>(last_steps.size() / 2);
  std::nth_element(last_steps.begin(), middle, last_steps.end());
  if (*middle < 2) return std::nullopt;
  return std::min(*middle, kLongest);
}

bool IsBestSoFar(const CurveStudy& study, double value) {
  return std::none_of(
      study.trials.begin(), study.trials.end(), [&](const TrialCurve& trial) {
        return trial.final_value.has_value() && !trial.breaks_constraint &&
               IsWorse(value, *trial.final_value, study.goal);
      });
}

double BestValue(const Curve& curve, Goal goal) {
  double best = curve.front().value;
  for (const CurvePoint& point : curve) {
    if (IsWorse(best, point.value, goal)) best = point.value;
  }
  return best;
}

}  // namespace vernier
