#ifndef VERNIER_CLUSTER_SLURM_SUBMISSION_RATE_H_
#define VERNIER_CLUSTER_SLURM_SUBMISSION_RATE_H_

#include "base/clock.h"

namespace vernier {

/// How fast jobs may be submitted: halved when the controller is in
/// difficulties, raised slowly while all is well. A value.
class SubmissionRate {
 public:
  /// `most` > 0, submissions per second.
  explicit SubmissionRate(double most) : most_(most), rate_(most) {}

  /// From when on the next one may go.
  SteadyTime next() const { return next_; }

  /// One was accepted or refused for good.
  void NoteAnswered(SteadyTime now);
  /// One was throttled, or it is not known whether it was accepted.
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
