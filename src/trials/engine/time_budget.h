#ifndef VERNIER_TRIALS_ENGINE_TIME_BUDGET_H_
#define VERNIER_TRIALS_ENGINE_TIME_BUDGET_H_

#include <cstdint>
#include <optional>

#include "store/store.h"

namespace vernier {

/// How many GPUs an attempt of the job has leased, or, where a cluster's engine
/// leases them itself, asked for.
std::int64_t GpusOf(const JobSpec& spec, const AttemptRecord& attempt);

/// What part of a job's budgets of time (StudyLimits::max_time and
/// max_gpu_time) the attempts that have ended left, in [0, 1]; the least of
/// them. As many trials are taken to run at once as may. nullopt: there is no
/// such budget. It follows from how attempts ended, not from the time of day.
/// Looks at every trial. Pure.
std::optional<double> TimeBudgetLeft(const StudySnapshot& study);

}  // namespace vernier

#endif  // VERNIER_TRIALS_ENGINE_TIME_BUDGET_H_
