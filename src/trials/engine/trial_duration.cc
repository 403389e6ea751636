#include "trials/engine/trial_duration.h"

namespace vernier {

std::optional<std::chrono::microseconds> DurationOf(const TrialRecord& trial) {
  std::chrono::microseconds duration{0};
  for (const AttemptRecord& attempt : trial.attempts) {
    duration += attempt.lasted;
  }
  if (trial.attempts.empty() && trial.started_at.has_value() &&
      trial.ended_at.has_value()) {
    duration = *trial.ended_at - *trial.started_at;
  }
  if (duration.count() <= 0) return std::nullopt;
  return duration;
}

}  // namespace vernier
