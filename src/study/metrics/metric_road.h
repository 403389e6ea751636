#ifndef VERNIER_STUDY_METRICS_METRIC_ROAD_H_
#define VERNIER_STUDY_METRICS_METRIC_ROAD_H_

#include <string_view>

#include "base/enum_name.h"

namespace vernier {

/// The places where the service reads the metrics of a job's programs:
/// vernier.metricSources.
enum class MetricSourceKind {
  kReport,         ///< Calls over HTTP and gRPC.
  kMetricFile,     ///< The JSON lines of $VERNIER_METRICS.
  kHypertuneFile,  ///< cloudml-hypertune's file.
  kTensorBoard,    ///< Event files.
  kWandb,          ///< The files of Weights & Biases' library.
  kTrackio,        ///< The databases of Trackio's library.
  kCsvFile,        ///< metrics.csv of Lightning and files like Keras'.
  kStdout,         ///< What the chief prints.
};

/// The names of these places in job files.
inline constexpr EnumName<MetricSourceKind> kMetricSourceKinds[] = {
    {"REPORT", MetricSourceKind::kReport},
    {"METRIC_FILE", MetricSourceKind::kMetricFile},
    {"HYPERTUNE_FILE", MetricSourceKind::kHypertuneFile},
    {"TENSORBOARD", MetricSourceKind::kTensorBoard},
    {"WANDB", MetricSourceKind::kWandb},
    {"TRACKIO", MetricSourceKind::kTrackio},
    {"CSV_FILE", MetricSourceKind::kCsvFile},
    {"STDOUT", MetricSourceKind::kStdout},
};

/// The source of a measurement. The database holds these numbers. Event files
/// are separate sources by the purpose of their folder: see EventFolderKind.
enum class MetricRoad {
  kReport = 1,
  kHypertuneFile = 2,
  kMetricFile = 3,
  kValidationEvents = 4,
  kTestEvents = 5,
  kEvents = 6,
  kTrainingEvents = 7,
  kStdout = 8,
  kWandb = 9,
  kCsvFile = 10,
  kTrackio = 11,
};

/// True if the database may hold this number.
constexpr bool IsMetricRoad(long long number) {
  return number >= 1 && number <= static_cast<int>(MetricRoad::kTrackio);
}

/// True if source `a` is more explicit than `b`. If a metric of a trial comes
/// from several sources, only the most explicit one counts. Values that a
/// program reports on purpose are more explicit than those that it writes for
/// people, validation is more explicit than training, and everything is more
/// explicit than printed lines.
bool IsClearer(MetricRoad a, MetricRoad b);

/// Returns "REPORT", "TENSORBOARD (validation)", for people and JSON.
std::string_view ToString(MetricRoad road);

/// True if values of this source may come without a time. Such a value gets a
/// time from its place in its source, near 1970; in databases of earlier
/// releases it has the time of its reading.
constexpr bool IsTimedByReader(MetricRoad road) {
  return road == MetricRoad::kMetricFile || road == MetricRoad::kStdout ||
         road == MetricRoad::kCsvFile;
}

}  // namespace vernier

#endif  // VERNIER_STUDY_METRICS_METRIC_ROAD_H_
