#ifndef VERNIER_STUDY_METRICS_RESERVED_NAME_H_
#define VERNIER_STUDY_METRICS_RESERVED_NAME_H_

#include <string>
#include <string_view>
#include <vector>

#include "study/metrics/metric_road.h"

namespace vernier {

/// Whether a metric cannot have this name where the service listens, because
/// there it is the name of something else: "step" and "time" in lines of JSON,
/// what cloudml-hypertune writes beside its metric in its file.
bool IsReservedName(std::string_view name, MetricSourceKind source);

/// Why a job with these vernier.metricSources (none: all) would not hear a
/// metric of this name everywhere, and what to do, as what follows the name of
/// the field; empty if it would.
std::string WhyNotHeard(std::string_view name,
                        const std::vector<MetricSourceKind>& sources);

}  // namespace vernier

#endif  // VERNIER_STUDY_METRICS_RESERVED_NAME_H_
