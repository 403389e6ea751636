#ifndef VERNIER_CLUSTER_METRICS_METRIC_LINES_H_
#define VERNIER_CLUSTER_METRICS_METRIC_LINES_H_

#include <cstdint>
#include <string_view>

#include "cluster/metrics/files/file_reading.h"

namespace vernier {

/// Reads the lines of JSON that programs append to the file that the variable
/// VERNIER_METRICS names, while they come:
///
///   {"step": 1, "loss": 0.5, "accuracy": 0.9, "time": 1700000000.5}
///
/// Each key but `step` and `time` whose value is a number is a metric; so is
/// one with the text of a number, and with NaN, Infinity or -Infinity, which
/// Python writes. Other values (texts, null, lists) are passed over. Without a
/// step the number of the line, from 1, is the step, and without a time the
/// measurement is of the time when it is read.
///
/// A line that makes no sense is left out and named by its number: what is no
/// JSON object, a step that is no whole number of 64 bits, a time that is no
/// number of seconds since 1970, a line beyond kMaxMetricLine or with more than
/// kMaxMetricsOfRecord metrics. A line without its end waits.
/// Thread-compatible.
class MetricLinesReader {
 public:
  /// Where in the file the next bytes are to be read.
  std::uint64_t offset() const { return offset_; }

  /// Takes the bytes that the file has from offset() on: more than
  /// kMaxMetricLine of them, or all that there are. Measurements without a time
  /// get `read_at`. Never throws.
  FileReading Read(std::string_view bytes, LastLine last_line,
                   Timestamp read_at);

 private:
  void TakeLine(std::string_view line, Timestamp read_at,
                FileReading& reading) const;
  void NameLongLine(FileReading& reading) const;

  std::uint64_t offset_ = 0;
  std::int64_t lines_ = 0;        // That have begun to be taken.
  bool is_in_long_line_ = false;  // Its begin was dropped.
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_METRIC_LINES_H_
