#ifndef VERNIER_CLUSTER_METRICS_HYPERTUNE_FILE_H_
#define VERNIER_CLUSTER_METRICS_HYPERTUNE_FILE_H_

#include <string>
#include <string_view>
#include <vector>

#include "cluster/metrics/files/file_reading.h"
#include "study/measurement.h"

namespace vernier {

/// The parsed contents of a metric file.
struct HypertuneContents {
  std::vector<Measurement> measurements;  ///< In the file's order.
  /// Descriptions of unreadable records, each with the beginning of the text in
  /// question; no duplicates, at most kMaxMetricProblems.
  std::vector<std::string> problems;
  /// The last record is cut off and could not be read.
  bool is_truncated = false;
};

/// Parses a cloudml-hypertune file. It holds JSON objects, on one line each or
/// spread over several, with the keys `timestamp`, `global_step` and one per
/// metric. A value is a number, the text of a number, or one of the tokens NaN,
/// Infinity and -Infinity that Python writes; null and similar values count as
/// NaN (MetricValueOf). Pure.
///
/// Records and values that cannot be read are skipped and reported as problems:
/// text that is not a JSON object, a value that is not a number, a metric
/// without a name, a global_step that is not a whole number of 64 bits, a
/// record beyond kMaxMetricLine. A measurement without a timestamp gets the
/// year 1970; one without a step gets the step after the metric's previous one
/// (StepScale).
HypertuneContents ParseHypertuneFile(std::string_view contents,
                                     LastLine last_line);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_HYPERTUNE_FILE_H_
