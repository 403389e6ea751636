#ifndef VERNIER_TRIALS_JOBS_RETRY_BACKOFF_H_
#define VERNIER_TRIALS_JOBS_RETRY_BACKOFF_H_

#include <chrono>

#include "store/records.h"

namespace vernier {

/// How long a trial waits until it is tried again after the machine failed it:
/// twice as long after each failure in a row, since what failed may need a
/// while to recover.
struct RetryBackoff {
  std::chrono::milliseconds first{5000};      ///< > 0.
  std::chrono::milliseconds longest{300000};  ///< >= first.
};

/// The wait after `failures` of the machine in a row; zero after none.
std::chrono::milliseconds BackoffAfter(int failures,
                                       const RetryBackoff& backoff);

/// Whether a program of the attempt has run.
bool HasRun(const AttemptRecord& attempt);

/// Whether the attempt was lost before a program ran, e.g. since the service
/// was killed: it does not count as a try.
bool NeverRan(const AttemptRecord& attempt);

/// How many of the trial's last attempts that have ended, without a break,
/// ended by the machine's fault; those that NeverRan are left out. Pure.
int MachineFailuresInARow(const TrialRecord& trial);

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_RETRY_BACKOFF_H_
