#ifndef VERNIER_STUDY_METRICS_METRIC_ROAD_H_
#define VERNIER_STUDY_METRICS_METRIC_ROAD_H_

#include <string_view>

#include "base/enum_name.h"

namespace vernier {

/// Where the service listens to a job's programs: vernier.metricSources.
enum class MetricSourceKind {
  kReport,         ///< Calls over HTTP and gRPC.
  kMetricFile,     ///< The JSON lines of $VERNIER_METRICS.
  kHypertuneFile,  ///< cloudml-hypertune's file.
  kTensorBoard,    ///< Event files.
  kStdout,         ///< What the chief prints.
};

/// Their names in job files.
inline constexpr EnumName<MetricSourceKind> kMetricSourceKinds[] = {
    {"REPORT", MetricSourceKind::kReport},
    {"METRIC_FILE", MetricSourceKind::kMetricFile},
    {"HYPERTUNE_FILE", MetricSourceKind::kHypertuneFile},
    {"TENSORBOARD", MetricSourceKind::kTensorBoard},
    {"STDOUT", MetricSourceKind::kStdout},
};

/// The road by which a measurement came. The database holds these numbers.
/// Event files are told apart by what their folder is for: see
/// EventFolderKind.
enum class MetricRoad {
  kReport = 1,
  kHypertuneFile = 2,
  kMetricFile = 3,
  kValidationEvents = 4,
  kTestEvents = 5,
  kEvents = 6,
  kTrainingEvents = 7,
  kStdout = 8,
};

/// Whether the database may hold this number.
constexpr bool IsMetricRoad(long long number) {
  return number >= 1 && number <= static_cast<int>(MetricRoad::kStdout);
}

/// Whether `a` speaks more clearly for a metric than `b`: of several roads by
/// which one metric of a trial comes, the clearest alone counts. What a program
/// reports on purpose is clearer than what it writes for people, validation
/// than training, and all else than what it prints.
bool IsClearer(MetricRoad a, MetricRoad b);

/// "REPORT", "TENSORBOARD (validation)", for people and JSON.
std::string_view ToString(MetricRoad road);

/// Whether values of this road may have no time of their own. They have one
/// that follows from their place in their source, near 1970; in databases of
/// earlier releases it is that of their reading.
constexpr bool IsTimedByReader(MetricRoad road) {
  return road == MetricRoad::kMetricFile || road == MetricRoad::kStdout;
}

}  // namespace vernier

#endif  // VERNIER_STUDY_METRICS_METRIC_ROAD_H_
