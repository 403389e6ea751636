#ifndef VERNIER_CLUSTER_SLURM_SUBMISSION_ANSWER_H_
#define VERNIER_CLUSTER_SLURM_SUBMISSION_ANSWER_H_

#include <cstdint>
#include <string>

#include "cluster/process/command_run.h"

namespace vernier {

/// The result of a call of sbatch: whether there is a job now.
struct SubmissionAnswer {
  enum class Kind {
    kAccepted,   ///< It exists, as `number`.
    kRefused,    ///< It does not exist, and never would.
    kThrottled,  ///< It does not exist; try again later.
    kAmbiguous,  ///< Only a listing tells whether it exists.
  };
  Kind kind = Kind::kAmbiguous;
  std::int64_t number = 0;  ///< kAccepted.
  std::string words;        ///< Slurm's own, otherwise; one line.

  friend bool operator==(const SubmissionAnswer&,
                         const SubmissionAnswer&) = default;
};

/// Judges the end of `sbatch --parsable`. Pure. Sites wrap sbatch, so the last
/// line that is a number counts. An error is ambiguous unless it is known to
/// mean that there is no job: after "Socket timed out" the job often exists.
SubmissionAnswer JudgeSubmission(const CommandEnd& end);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_SUBMISSION_ANSWER_H_
