#ifndef VERNIER_CLUSTER_METRICS_HYPERTUNE_FILE_H_
#define VERNIER_CLUSTER_METRICS_HYPERTUNE_FILE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "study/measurement.h"

namespace vernier {

/// Longest record of a metric file that is read; longer ones are skipped.
inline constexpr std::size_t kMaxMetricLine = 65536;

/// What to do with a last line that has no newline.
enum class LastLine {
  kMayGrow,  ///< The writer may be writing it: skip it.
  kIsDone,   ///< Nobody writes any more: read it.
};

/// The contents of a metric file.
struct HypertuneContents {
  std::vector<Measurement> measurements;  ///< In the file's order.
  /// Mistakes, with the beginning of the text in question; each once, at most
  /// kMaxMetricProblems.
  std::vector<std::string> problems;
};

/// Parses the contents of a cloudml-hypertune file: JSON objects, each on one
/// line or several, with `timestamp`, `global_step` and one key per metric.
/// Values are numbers, numbers as texts, or the tokens NaN, Infinity and
/// -Infinity that Python writes. Pure.
///
/// Malformed records and values are left out and reported: text that is no JSON
/// object, a value that is no number, a metric without a name, a global_step
/// that is no whole number of 64 bits, a record longer than kMaxMetricLine. A
/// measurement without a timestamp is of 1970, and one without a step has step
/// 0.
HypertuneContents ParseHypertuneFile(std::string_view contents,
                                     LastLine last_line);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_HYPERTUNE_FILE_H_
