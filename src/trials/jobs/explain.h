#ifndef VERNIER_TRIALS_JOBS_EXPLAIN_H_
#define VERNIER_TRIALS_JOBS_EXPLAIN_H_

#include <chrono>
#include <optional>
#include <string>

#include "store/study_kinds.h"
#include "trials/jobs/hindrances.h"

namespace vernier {

/// Returns some lines that explain the job's present situation: its state and
/// the reason, trials by outcome, limits, best trial, and whether its metric is
/// missing. `hindrance` is the job's reason to wait. `idle_for` is for a study
/// that clients run: the time for which nobody has worked on it, or nullopt if
/// it is not idle. Pure.
std::string ExplainJob(
    const StudySnapshot& study, const Hindrance& hindrance = {},
    std::optional<std::chrono::microseconds> idle_for = std::nullopt);

/// Returns some lines that explain one trial: where its parameters come from,
/// on which side of the boundaries of the study's failures they lie, what
/// happened in each attempt, and why it ended. `hindrance` is its job's
/// reason to wait. Pure.
std::string ExplainTrial(const StudySnapshot& study, const TrialRecord& trial,
                         const Hindrance& hindrance = {});

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_EXPLAIN_H_
