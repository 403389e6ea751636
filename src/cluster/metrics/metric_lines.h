#ifndef VERNIER_CLUSTER_METRICS_METRIC_LINES_H_
#define VERNIER_CLUSTER_METRICS_METRIC_LINES_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cluster/metrics/files/file_reading.h"
#include "cluster/metrics/step_scale.h"

namespace vernier {

/// Reads the lines of JSON that programs append to the file that the variable
/// VERNIER_METRICS names, as they are written:
///
///   {"step": 1, "loss": 0.5, "accuracy": 0.9, "time": 1700000000.5}
///
/// Each key other than `step` and `time` whose value is a number is a metric;
/// so is one whose value is the text of a number, or the token NaN, Infinity or
/// -Infinity, which Python writes. Other values (texts, null, lists) are
/// ignored, except for tuned metrics: null and similar values count as NaN
/// there (MetricValueOf), and any others are reported as problems. A value
/// without a step gets the step after its metric's previous one (StepScale).
///
/// The members of an object `attributes` are not metrics. They are what the
/// program states about its trial, each any JSON value:
///
///   {"attributes": {"checkpoint": "best.pt", "layers": [64, 32]}}
///
/// `time` is in seconds since 1970, or, if it is too small for that, in seconds
/// since training began. A line without a time since 1970, or with one that is
/// not after the previous line's, gets TimeBehind the previous line. So among
/// several lines of one step the later line has the later time, whenever the
/// file is read.
///
/// A line that cannot be read is skipped and reported by its number: text that
/// is not a JSON object, a step that is not a whole number of 64 bits, a time
/// that is not a number of seconds from 0 on, a line beyond kMaxMetricLine or
/// with more than kMaxMetricsOfRecord metrics. A line without its newline is
/// left for the next call. Thread-compatible.
class MetricLinesReader {
 public:
  /// For a file whose first lines are not read: values without a step follow
  /// `last_step`, and lines without a time follow `begin`. `metrics` are the
  /// tuned metrics; messages call the source of the lines `source`.
  explicit MetricLinesReader(std::int64_t last_step = 0, Timestamp begin = {},
                             std::vector<std::string> metrics = {},
                             std::string source = "VERNIER_METRICS")
      : metrics_(std::move(metrics)),
        source_(std::move(source)),
        last_step_(last_step),
        time_(begin) {}

  /// The problem that came after the last value of a tuned metric: an
  /// unreadable value, or an unreadable line that may have held one. Empty if
  /// there is none.
  const std::string& later_miss() const { return later_miss_; }

  /// Returns whether the last line that was read is cut off and unreadable.
  bool is_truncated() const { return is_truncated_; }

  /// The time of the last line with a metric.
  Timestamp time() const { return time_; }

  /// Returns the file offset from which to read the next bytes.
  std::uint64_t offset() const { return offset_; }

  /// Has the effect of Read with zero bytes from offset() to `end`, which form
  /// or continue a line that is too long. Does nothing if they are too few for
  /// a long line; they are left to Read.
  void SkipHole(std::uint64_t end, FileReading& reading);

  /// Skips the bytes before `offset` and the rest of the line that lies there.
  /// Later values without a step or time get ones greater than any that were
  /// skipped.
  void SkipTo(std::uint64_t offset);

  /// Takes the file's bytes from offset() on: either more than kMaxMetricLine
  /// of them, or all that exist. Never throws.
  FileReading Read(std::string_view bytes, LastLine last_line);

 private:
  void TakeLine(std::string_view line, FileReading& reading);
  // Reports a tuned metric that is nested in the object `key` of a line.
  void NameWithin(const std::string& key, const std::string& metric,
                  const std::string& where, FileReading& reading);
  std::int64_t StepOf(const std::string& metric, const StepMark& mark,
                      FileReading& reading);
  bool IsTuned(const std::string& metric) const;
  void NameMiss(std::string text, FileReading& reading);
  void NameLongLine(FileReading& reading);
  std::string Where() const;

  std::vector<std::string> metrics_;
  std::string source_;
  std::string later_miss_;
  bool is_truncated_ = false;
  std::int64_t last_step_;
  Timestamp time_;  // Of the last line with a metric.
  std::map<std::string, StepScale> scales_;
  std::uint64_t offset_ = 0;
  std::uint64_t counts_from_ = 0;  // Where in the file lines are counted from.
  std::int64_t lines_ = 0;         // That have begun to be taken.
  bool is_in_long_line_ = false;   // Its begin was dropped.
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_METRIC_LINES_H_
