#ifndef VERNIER_STUDY_NEEDED_METRICS_H_
#define VERNIER_STUDY_NEEDED_METRICS_H_

#include <string>
#include <vector>

#include "study/job_spec.h"
#include "study/metrics/metric_goal.h"

namespace vernier {

/// Returns the names of the objectives, in their order, and then those of the
/// metrics that are only constrained. Pure.
std::vector<std::string> NeededMetrics(
    const std::vector<MetricGoal>& objectives,
    const std::vector<OutcomeConstraint>& constraints);

/// Returns the NeededMetrics of a job's study without making the study; none if
/// the job is not tuned. Pure.
std::vector<std::string> NeededMetrics(const JobSpec& job);

}  // namespace vernier

#endif  // VERNIER_STUDY_NEEDED_METRICS_H_
