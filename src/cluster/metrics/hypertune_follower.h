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
/// cloudml-hypertune: that of the primary, and that of evaluator 0 if there is
/// one.
///
/// The library truncates its file at every report and writes its last 100
/// reports again, without a lock; a new writer object starts with none. So the
/// whole file is read whenever it may have changed. An unfinished last line is
/// not read yet, contents count only if two reads agree, and new reports are
/// added to the earlier ones: of those of one metric and time, what comes
/// behind the ones that are known. What stands later in the file is later: a
/// report whose time is not behind that of the one before it of its metric, or
/// that has none, is a microsecond behind it.
///
/// A training program writes the file, so it is not trusted: see
/// OpenMetricFile. Of a long file only the last 8 MiB are read. Not
/// thread-safe.
class HypertuneFollower {
 public:
  /// Adds what is new in the files in `directory` to `fresh`, problems again
  /// and again. With `may_skip`, a file that looks as at the last time is not
  /// read. Returns whether to look again soon: a file was being rewritten, or
  /// could not be opened now.
  bool Read(int directory, LastLine last_line, bool may_skip,
            MetricReading& fresh);

  /// The last record of the file that was read last is cut off within.
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
  // Of the last report, by file and metric.
  std::map<std::pair<std::size_t, std::string>, Timestamp> last_times_;
  bool is_truncated_ = false;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_HYPERTUNE_FOLLOWER_H_
