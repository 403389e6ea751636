#ifndef VERNIER_TRIALS_JOB_FILTER_H_
#define VERNIER_TRIALS_JOB_FILTER_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "store/study_kinds.h"
#include "trials/filters/filter_expression.h"

namespace vernier {

/// Selects jobs like AI Platform's jobs.list, e.g. "jobId:census* AND
/// state:RUNNING". Keys: jobId, state, createTime, startTime, endTime,
/// errorMessage, labels.KEY; jobId is the name in the project. A job that is to
/// pause is found by the state PAUSED, too. Thread-compatible.
class JobFilter {
 public:
  /// Errors: INVALID_ARGUMENT for a broken filter or an unknown key.
  static absl::StatusOr<JobFilter> Parse(std::string_view text);

  bool Matches(JobRef job) const;

 private:
  FilterExpression expression_;
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOB_FILTER_H_
