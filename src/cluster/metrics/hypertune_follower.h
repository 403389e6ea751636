#ifndef VERNIER_CLUSTER_METRICS_HYPERTUNE_FOLLOWER_H_
#define VERNIER_CLUSTER_METRICS_HYPERTUNE_FOLLOWER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cluster/metrics/files/file_reading.h"
#include "cluster/metrics/files/metric_file_access.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// Follows the files that an attempt's unmodified programs write with
/// cloudml-hypertune: the primary's, and evaluator 0's if there is one.
///
/// The library truncates its file at every report and rewrites its last 100
/// reports, without a lock; a new writer object starts with none. So the whole
/// file is read whenever it may have changed. An unfinished last line is left
/// for later, and contents count only if two reads agree. Among reports of one
/// metric and time, those that follow the known ones are new. Order in the file
/// is order in time: a report without a time, or with one that is not after the
/// metric's previous report, is dated a microsecond after that.
///
/// A training program writes the file, so it is not trusted: see
/// OpenMetricFile. Only the last 8 MiB of a long file are read. Not
/// thread-safe.
class HypertuneFollower {
 public:
  /// Adds the new reports of the files in `directory` to `fresh`; problems are
  /// added at every call. With `may_skip`, a file whose stat has not changed
  /// since the last read is skipped. Returns whether to read again soon because
  /// a file was being rewritten or could not be opened for lack of resources.
  bool Read(int directory, LastLine last_line, bool may_skip,
            MetricReading& fresh);

  /// Returns whether the file that was read last ends in a cut-off record.
  bool is_truncated() const { return is_truncated_; }

 private:
  // Step and value, by which reports of one metric and time differ.
  using Report = std::pair<std::int64_t, std::uint64_t>;
  // File, time and metric.
  using GroupKey = std::tuple<std::size_t, Timestamp, std::string>;

  bool ReadFile(std::size_t file, int fd, LastLine last_line,
                MetricReading& fresh);
  void TakeNew(std::size_t file, std::vector<Measurement> all,
               MetricReading& fresh);
  void ForgetOldest();

  std::array<FileState, 2> stamps_;  // Of the primary and the evaluator.
  std::map<GroupKey, std::vector<Report>> seen_;
  std::deque<GroupKey> seen_order_;  // Oldest first.
  std::size_t seen_count_ = 0;
  std::size_t seen_limit_ = 0;
  // The time of the last report, by file and metric.
  std::map<std::pair<std::size_t, std::string>, Timestamp> last_times_;
  bool is_truncated_ = false;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_HYPERTUNE_FOLLOWER_H_
