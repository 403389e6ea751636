#ifndef VERNIER_TRIALS_JOBS_RETRY_BACKOFF_H_
#define VERNIER_TRIALS_JOBS_RETRY_BACKOFF_H_

#include <chrono>

#include "store/records.h"

namespace vernier {

/// The wait before a trial is tried again after the machine failed it. It
/// doubles with each failure in a row, because a machine may need a while to
/// recover.
struct RetryBackoff {
  std::chrono::milliseconds first{5000};      ///< > 0.
  std::chrono::milliseconds longest{300000};  ///< >= first.
};

/// Returns the wait after `failures` of the machine in a row; zero after none.
std::chrono::milliseconds BackoffAfter(int failures,
                                       const RetryBackoff& backoff);

/// Returns whether a program of the attempt has run.
bool HasRun(const AttemptRecord& attempt);

/// Returns whether the attempt was lost before a program ran, for example
/// because the service was killed. Such an attempt does not count as a try.
bool NeverRan(const AttemptRecord& attempt);

/// Returns how many of the trial's ended attempts, counted back from the last
/// without a break, ended by the machine's fault; those that NeverRan are left
/// out. Pure.
int MachineFailuresInARow(const TrialRecord& trial);

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_RETRY_BACKOFF_H_
