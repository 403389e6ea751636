#ifndef VERNIER_TRIALS_JOBS_MISSING_OBJECTIVE_H_
#define VERNIER_TRIALS_JOBS_MISSING_OBJECTIVE_H_

#include <string>

#include "store/study_kinds.h"

namespace vernier {

/// Messages for users of a tuning job whose programs do not report a metric
/// that it needs. All pure.

/// Says of a trial that ended well without a value of `metric` what it did
/// report: the metrics by name with the one that may be meant, the reports that
/// could not be understood, and, if there is nothing else, the last lines of
/// its log.
std::string DescribeMissingMetric(const std::string& metric,
                                  const TrialRecord& trial,
                                  const std::string& last_lines);

/// Says that the last value was not finite: "its last value of loss was nan at
/// step 12". If `summary` does not have that value, says that no value was
/// finite.
std::string DescribeNotFinite(const std::string& metric,
                              const MetricSummary& summary);

/// Returns one sentence on how to report the metrics, or to correct their
/// names.
std::string HowToReportObjective(const StudyRecord& job);

/// Says that trials have ended without a value while none has had one, for a
/// job that continues; empty if there is nothing to say.
std::string MissingObjectiveNote(const StudySnapshot& study);

/// Names the metrics that a running trial has reported instead of the
/// objective, which may still come. Empty if a trial has reported the
/// objective, or if none has reported anything.
std::string OtherMetricsNote(const StudySnapshot& study);

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_MISSING_OBJECTIVE_H_
