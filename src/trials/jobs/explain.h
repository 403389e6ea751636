#ifndef VERNIER_TRIALS_JOBS_EXPLAIN_H_
#define VERNIER_TRIALS_JOBS_EXPLAIN_H_

#include <chrono>
#include <optional>
#include <string>

#include "store/store.h"
#include "trials/jobs/hindrances.h"

namespace vernier {

/// What a job that is not final waits for, in words; empty if final.
/// `hindrance` is the job's. Pure.
std::string JobWaitsFor(const StudySnapshot& study,
                        const Hindrance& hindrance = {});

/// What a trial that is not final waits for, in words; empty if final.
/// `hindrance` is its job's. Pure.
std::string TrialWaitsFor(const StudySnapshot& study, const TrialRecord& trial,
                          const Hindrance& hindrance = {});

/// What an attempt that is not final waits for, in words; empty if final. Pure.
std::string AttemptWaitsFor(const AttemptRecord& attempt);

/// Some lines that say why the job is as it is: state and why, trials by
/// outcome, limits, best trial, and whether its metric is missing. `hindrance`
/// is its own; `idle_for`, of a study that clients run, for how long nobody has
/// worked on it. Pure.
std::string ExplainJob(
    const StudySnapshot& study, const Hindrance& hindrance = {},
    std::optional<std::chrono::microseconds> idle_for = std::nullopt);

/// Some lines on one trial: where its parameters come from, what happened in
/// each attempt, why it ended. `hindrance` is its job's. Pure.
std::string ExplainTrial(const StudySnapshot& study, const TrialRecord& trial,
                         const Hindrance& hindrance = {});

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_EXPLAIN_H_
