#ifndef VERNIER_TRIALS_JOBS_PLAN_H_
#define VERNIER_TRIALS_JOBS_PLAN_H_

#include <chrono>

#include "trials/budgets/gpu_pool.h"
#include "trials/jobs/retry_backoff.h"
#include "trials/jobs/study_plan.h"

namespace vernier {

struct PlanOptions {
  /// A failure this soon after the start is an instant one; > 0.
  std::chrono::milliseconds instant_failure{10000};
  RetryBackoff backoff;
};

/// Decides what to do next for one job. Pure: no I/O, no clock, no lock, no
/// randomness. Idempotent: with its changes stored and its launches intended,
/// asking again without a new observation yields an empty plan.
StudyPlan MakePlan(const PlanInput& input, const PlanOptions& options,
                   GpuPool* gpus);

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_PLAN_H_
