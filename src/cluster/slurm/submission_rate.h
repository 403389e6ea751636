#ifndef VERNIER_CLUSTER_SLURM_SUBMISSION_RATE_H_
#define VERNIER_CLUSTER_SLURM_SUBMISSION_RATE_H_

#include "base/clock.h"

namespace vernier {

/// Limits the rate of submissions: it is halved when the controller is in
/// difficulties, and raised slowly while all is well. A value.
class SubmissionRate {
 public:
  /// `most` > 0 is the highest rate, in submissions per second.
  explicit SubmissionRate(double most) : most_(most), rate_(most) {}

  /// Returns the time from which the next submission may be made.
  SteadyTime next() const { return next_; }

  /// A submission was accepted, or refused for good.
  void NoteAnswered(SteadyTime now);
  /// A submission was throttled, or its outcome is unknown.
  void NoteTrouble(SteadyTime now);

  double per_second() const { return rate_; }

 private:
  void Pause(SteadyTime now);

  double most_;
  double rate_;
  SteadyTime next_{};
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_SUBMISSION_RATE_H_
