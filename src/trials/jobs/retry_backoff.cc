#include "trials/jobs/retry_backoff.h"

#include <algorithm>

namespace vernier {
std::chrono::milliseconds BackoffAfter(int failures,
                                       const RetryBackoff& backoff) {
  if (failures <= 0) return std::chrono::milliseconds(0);
  std::chrono::milliseconds wait = backoff.first;
  for (int i = 1; i < failures && wait < backoff.longest; ++i) wait *= 2;
  return std::min(wait, backoff.longest);
}

bool HasRun(const AttemptRecord& attempt) {
  return attempt.running_at.has_value() || attempt.lasted.count() > 0;
}

bool NeverRan(const AttemptRecord& attempt) {
  return attempt.state == AttemptState::kLost && !HasRun(attempt);
}

int MachineFailuresInARow(const TrialRecord& trial) {
  int count = 0;
  for (auto attempt = trial.attempts.rbegin(); attempt != trial.attempts.rend();
       ++attempt) {
    if (!IsTerminal(attempt->state) || NeverRan(*attempt)) continue;
    if (attempt->end_cause != TrialEndCause::kInfrastructure) break;
    ++count;
  }
  return count;
}

}  // namespace vernier
