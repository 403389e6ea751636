#ifndef VERNIER_TRIALS_METRIC_REPORTS_H_
#define VERNIER_TRIALS_METRIC_REPORTS_H_

#include <map>
#include <vector>

#include "store/store.h"
#include "study/metric_report.h"

namespace vernier {

/// Groups values into the reports in which they came: by trial, in order of
/// arrival. Metrics of a report are ordered by name. Pure.
std::map<TrialId, std::vector<MetricReport>> ReportsByTrial(
    const std::vector<TrialMeasurement>& measurements);

}  // namespace vernier

#endif  // VERNIER_TRIALS_METRIC_REPORTS_H_
