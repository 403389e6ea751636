#ifndef VERNIER_TRIALS_ENGINE_TIME_BUDGET_H_
#define VERNIER_TRIALS_ENGINE_TIME_BUDGET_H_

#include <cstdint>
#include <optional>

#include "store/store.h"

namespace vernier {

/// Returns the number of GPUs that an attempt of the job has leased, or, where
/// a cluster's engine leases them itself, has asked for.
std::int64_t GpusOf(const JobSpec& spec, const AttemptRecord& attempt);

/// Returns the part of a job's time budgets (StudyLimits::max_time and
/// max_gpu_time) that its ended attempts have left, in [0, 1]; of two budgets
/// the smaller part. It is assumed that as many trials run at once as may.
/// nullopt if there is no such budget. The result depends on how attempts
/// ended, not on the time of day. Reads every trial. Pure.
std::optional<double> TimeBudgetLeft(const StudySnapshot& study);

}  // namespace vernier

#endif  // VERNIER_TRIALS_ENGINE_TIME_BUDGET_H_
