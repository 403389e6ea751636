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
/// VERNIER_METRICS names, while they come:
///
///   {"step": 1, "loss": 0.5, "accuracy": 0.9, "time": 1700000000.5}
///
/// Each key but `step` and `time` whose value is a number is a metric; so is
/// one with the text of a number, and with NaN, Infinity or -Infinity, which
/// Python writes. Other values (texts, null, lists) are passed over, but of
/// what is tuned null and its like are NaN (MetricValueOf), and others are
/// named. A value without a step stands one behind the one before it of its
/// metric (StepScale).
///
/// The members of an object `attributes` are no metrics, but what the program
/// says about its trial, each any JSON value:
///
///   {"attributes": {"checkpoint": "best.pt", "layers": [64, 32]}}
///
/// The time is of seconds since 1970, or, where it is too early for that, of
/// seconds since training began. Of a line without a time since 1970, and of
/// one whose time is not after that of the line before, the time is TimeBehind
/// that line's: so the later line of a step has the later time, whenever the
/// file is read.
///
/// A line that makes no sense is left out and named by its number: what is no
/// JSON object, a step that is no whole number of 64 bits, a time that is no
/// number of seconds from 0 on, a line beyond kMaxMetricLine or with more than
/// kMaxMetricsOfRecord metrics. A line without its end waits.
/// Thread-compatible.
class MetricLinesReader {
 public:
  /// What has no step stands behind `last_step`, and what has no time behind
  /// `begin`: for lines that are not the first. `metrics` are what is tuned;
  /// messages call the lines' source `source`.
  explicit MetricLinesReader(std::int64_t last_step = 0, Timestamp begin = {},
                             std::vector<std::string> metrics = {},
                             std::string source = "VERNIER_METRICS")
      : metrics_(std::move(metrics)),
        source_(std::move(source)),
        last_step_(last_step),
        time_(begin) {}

  /// What came after the last value of what is tuned, and could not be read:
  /// that value, or a line that makes no sense and may have had it. Empty if
  /// there is none.
  const std::string& later_miss() const { return later_miss_; }

  /// The last line that was taken has no end and makes no sense.
  bool is_truncated() const { return is_truncated_; }

  /// The time of the last line with a metric.
  Timestamp time() const { return time_; }

  /// Where in the file the next bytes are to be read.
  std::uint64_t offset() const { return offset_; }

  /// As Read does with as many zeros as lie between offset() and `end`: they
  /// are a line that is too long, or belong to one. Fewer than make a line long
  /// are left to Read.
  void SkipHole(std::uint64_t end, FileReading& reading);

  /// Leaves out what lies before `offset`, and the line in which the file goes
  /// on. What has neither step nor time stands behind all that can have been
  /// left out.
  void SkipTo(std::uint64_t offset);

  /// Takes the bytes that the file has from offset() on: more than
  /// kMaxMetricLine of them, or all that there are. Never throws.
  FileReading Read(std::string_view bytes, LastLine last_line);

 private:
  void TakeLine(std::string_view line, FileReading& reading);
  // The metric is there, in the mapping `key` of a record.
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
