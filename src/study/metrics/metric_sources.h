#ifndef VERNIER_STUDY_METRICS_METRIC_SOURCES_H_
#define VERNIER_STUDY_METRICS_METRIC_SOURCES_H_

#include <algorithm>
#include <vector>

#include "study/metrics/metric_road.h"

namespace vernier {

/// True if a job with these vernier.metricSources reads metrics from `kind`.
/// Without any it reads from all.
inline bool ListensTo(const std::vector<MetricSourceKind>& sources,
                      MetricSourceKind kind) {
  return sources.empty() ||
         std::find(sources.begin(), sources.end(), kind) != sources.end();
}

}  // namespace vernier

#endif  // VERNIER_STUDY_METRICS_METRIC_SOURCES_H_
