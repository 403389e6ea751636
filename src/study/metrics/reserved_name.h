#ifndef VERNIER_STUDY_METRICS_RESERVED_NAME_H_
#define VERNIER_STUDY_METRICS_RESERVED_NAME_H_

#include <string>
#include <string_view>
#include <vector>

#include "study/metrics/metric_road.h"

namespace vernier {

/// True if a metric cannot have this name in this source, because there it is
/// the name of something else: "step" and "time" in lines of JSON, and the
/// fields that cloudml-hypertune writes beside its metric.
bool IsReservedName(std::string_view name, MetricSourceKind source);

/// Returns the reason why a job with these vernier.metricSources (none: all)
/// would not see a metric of this name in every source, and the remedy, as the
/// text after the field's name; empty if it would.
std::string WhyNotHeard(std::string_view name,
                        const std::vector<MetricSourceKind>& sources);

}  // namespace vernier

#endif  // VERNIER_STUDY_METRICS_RESERVED_NAME_H_
