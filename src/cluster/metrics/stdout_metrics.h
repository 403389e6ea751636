#ifndef VERNIER_CLUSTER_METRICS_STDOUT_METRICS_H_
#define VERNIER_CLUSTER_METRICS_STDOUT_METRICS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/metrics/files/file_reading.h"
#include "study/metrics/metric_pattern.h"

namespace vernier {

/// Longest line of output that is looked at; of longer ones the beginning is.
inline constexpr std::size_t kMaxStdoutLine = 16384;

/// What is looked for in the output. Both are: whoever wants only the patterns
/// gives no metrics.
struct StdoutRules {
  /// Names that count as `name=value` and `name: value`; also in other letter
  /// case, as "Loss: 0.5", until one is printed as it is here.
  std::vector<std::string> metrics;
  std::vector<MetricPattern> patterns;
};

/// Finds metrics in the lines that a program prints, while they come. Colours
/// are not seen, and of a line that was printed over with carriage returns, as
/// progress bars are, only the last state that shows anything counts. The step
/// is the pattern's, else what FindPrintedStep finds in the line, else the
/// number of the line, from 1.
///
/// Depends on the bytes alone and not on how they are cut. Keeps at most two
/// lines. Thread-compatible.
class StdoutMetricReader {
 public:
  /// `rules` must outlive the reader.
  explicit StdoutMetricReader(const StdoutRules& rules) : rules_(rules) {}

  /// Where in the output the next bytes are to be read.
  std::uint64_t offset() const { return offset_; }

  /// Takes the bytes that the output has from offset() on, as many as one
  /// likes. Measurements get the time `read_at`.
  FileReading Read(std::string_view bytes, LastLine last_line,
                   Timestamp read_at);

  /// What lies before `offset`, which must not be below offset(), is lost: so
  /// is the line in which the output goes on.
  void SkipTo(std::uint64_t offset);

 private:
  void Append(std::string_view text);
  void EndState();
  void EndLine(Timestamp read_at, FileReading& reading);
  void TakeLine(std::string_view line, Timestamp read_at, FileReading& reading);
  std::optional<double> FindMetric(std::string_view line,
                                   const std::string& metric);
  void TakeMatches(const MetricPattern& pattern, std::string_view line,
                   Timestamp read_at, FileReading& reading) const;

  const StdoutRules& rules_;
  std::uint64_t offset_ = 0;
  std::int64_t lines_ = 0;    // That have ended.
  std::string state_;         // Of the line since the last carriage return.
  std::string last_state_;    // The last before that which showed anything.
  bool is_cut_ = false;       // state_ is not all of it.
  bool is_skipping_ = false;  // The line's begin is lost.
  std::set<std::string> printed_;  // Metrics that came in their letter case.
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_STDOUT_METRICS_H_
