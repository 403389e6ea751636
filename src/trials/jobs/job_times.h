#ifndef VERNIER_TRIALS_JOBS_JOB_TIMES_H_
#define VERNIER_TRIALS_JOBS_JOB_TIMES_H_

#include <chrono>
#include <map>
#include <vector>

#include "base/clock.h"
#include "store/study_kinds.h"

namespace vernier {

/// The times for which a job has waited and run up to now.
struct JobTimes {
  std::chrono::microseconds waited_for{0};
  std::chrono::microseconds ran_for{0};
};

/// Measures how long jobs have waited and run, by the steady clock, on top of
/// what the store remembers; so a limit holds across restarts and no jump of
/// the wall clock matters. Not thread-safe: owned by the orchestrator.
class JobTimekeeper {
 public:
  explicit JobTimekeeper(std::chrono::microseconds checkpoint_period)
      : checkpoint_period_(checkpoint_period) {}

  /// Returns the job's times at `now`. The first call for a job starts its
  /// clock.
  JobTimes Measure(JobRef job, SteadyTime now);

  /// Returns whether the job's times were last stored a period or more ago.
  bool NeedsCheckpoint(StudyId study, SteadyTime now) const;

  /// Notes that the job's measured times are in the store.
  void Checkpointed(StudyId study, SteadyTime now);

  /// Drops jobs that are not among the open ones of `snapshot`.
  void Forget(const StoreSnapshot& snapshot);

 private:
  struct Reading {
    JobTimes times;
    SteadyTime at;
    SteadyTime stored_at;
  };

  const std::chrono::microseconds checkpoint_period_;
  std::map<StudyId, Reading> readings_;
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_JOB_TIMES_H_
