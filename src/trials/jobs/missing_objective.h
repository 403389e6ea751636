#ifndef VERNIER_TRIALS_JOBS_MISSING_OBJECTIVE_H_
#define VERNIER_TRIALS_JOBS_MISSING_OBJECTIVE_H_

#include <string>

#include "store/store.h"

namespace vernier {

/// Messages for users of a tuning job whose programs do not report a metric
/// that it needs. All pure.

/// Says of a trial that ended well without a value of `metric` what it did
/// report: the metrics by name with the one that may be meant, what of its
/// reports could not be understood, and, if there is nothing else, the last
/// lines of its log.
std::string DescribeMissingMetric(const std::string& metric,
                                  const TrialRecord& trial,
                                  const std::string& last_lines);

/// Says what was reported last, which is not finite: "its last value of loss
/// was nan at step 12"; of a metric whose values all are, if the last does not
/// count, says that.
std::string DescribeNotFinite(const std::string& metric,
                              const MetricSummary& summary);

/// One sentence on how to correct it.
std::string HowToReportObjective(const StudyRecord& job);

/// Says that trials have ended without a value while none has had one, for a
/// job that goes on; empty if there is nothing to say.
std::string MissingObjectiveNote(const StudySnapshot& study);

/// Names what trials that run have reported instead of the objective, which may
/// still come; empty if one of them has reported it, or all nothing.
std::string OtherMetricsNote(const StudySnapshot& study);

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_MISSING_OBJECTIVE_H_
