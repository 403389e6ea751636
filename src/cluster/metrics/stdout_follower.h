#ifndef VERNIER_CLUSTER_METRICS_STDOUT_FOLLOWER_H_
#define VERNIER_CLUSTER_METRICS_STDOUT_FOLLOWER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "cluster/metrics/files/file_reading.h"
#include "cluster/metrics/files/metric_file_access.h"
#include "cluster/metrics/stdout_metrics.h"
#include "cluster/metrics/thinning.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// Follows the output of an attempt's chief in its log, and thins long curves
/// with CurveThinner. Output that the log's cap dropped before it was read is
/// skipped. The last read ends where the log ends at that moment; if more than
/// a gigabyte is unread, the middle of it is left out. Not thread-safe.
class StdoutFollower {
 public:
  explicit StdoutFollower(StdoutRules rules, std::stop_token stop = {})
      : rules_(std::move(rules)), reader_(rules_, std::move(stop)) {}
  // The reader refers to the rules.
  StdoutFollower(const StdoutFollower&) = delete;
  StdoutFollower& operator=(const StdoutFollower&) = delete;

  /// Adds new measurements to `fresh`, and sets has_more if the reading ended
  /// before the log did, for instance because `is_enough` returned true. If
  /// `is_alone` (no other source has the metric), the last read also reports
  /// the mentions that could not be read, and, if a metric has no value, the
  /// other names that were printed.
  void Read(const std::string& attempt_dir, LastLine last_line, bool is_alone,
            MetricReading& fresh,
            const std::function<bool()>& is_enough = nullptr);

 private:
  bool ReadPart(const std::string& attempt_dir, std::size_t most,
                LastLine last_line, std::vector<Measurement>& kept,
                MetricReading& fresh);
  std::size_t LeftAtEnd(const std::string& attempt_dir, std::size_t most,
                        MetricReading& fresh);
  void Finish(bool is_alone, std::vector<Measurement>& kept,
              MetricReading& fresh);

  const StdoutRules rules_;
  StdoutMetricReader reader_;
  CurveThinner thinner_;
  FileState stamp_;                   // Of the log's beginning.
  std::optional<std::uint64_t> end_;  // At the first reading after the end.
  std::uint64_t read_at_end_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_STDOUT_FOLLOWER_H_
