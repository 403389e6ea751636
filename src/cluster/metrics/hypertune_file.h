#ifndef VERNIER_CLUSTER_METRICS_HYPERTUNE_FILE_H_
#define VERNIER_CLUSTER_METRICS_HYPERTUNE_FILE_H_

#include <string>
#include <string_view>
#include <vector>

#include "cluster/metrics/files/file_reading.h"
#include "study/measurement.h"

namespace vernier {

/// What a metric file holds.
struct HypertuneContents {
  std::vector<Measurement> measurements;  ///< In the file's order.
  /// What made no sense, with the beginning of the text in question; each
  /// once, at most kMaxMetricProblems.
  std::vector<std::string> problems;
  /// The last record has no end and makes no sense.
  bool is_truncated = false;
};

/// Understands the contents of a cloudml-hypertune file: JSON objects, each of
/// one line or spread over several, with `timestamp`, `global_step` and one key
/// per metric. Values are numbers or such texts, and the tokens NaN, Infinity
/// and -Infinity that Python writes; null and its like are NaN (MetricValueOf).
/// Pure.
///
/// A record or a value that makes no sense is left out and named: what is no
/// JSON object, a value that is no number, a metric without a name, a
/// global_step that is no whole number of 64 bits, a record beyond
/// kMaxMetricLine. Without a timestamp the measurement is of 1970; without a
/// step it stands one behind the one before it of its metric (StepScale).
HypertuneContents ParseHypertuneFile(std::string_view contents,
                                     LastLine last_line);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_HYPERTUNE_FILE_H_
