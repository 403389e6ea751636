#ifndef VERNIER_CLUSTER_METRICS_METRIC_LINES_FOLLOWER_H_
#define VERNIER_CLUSTER_METRICS_METRIC_LINES_FOLLOWER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "cluster/metrics/files/file_reading.h"
#include "cluster/metrics/files/metric_file_access.h"
#include "cluster/metrics/metric_lines.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// At an attempt's end, at most this many bytes from the beginning and as many
/// from the end of the unread part of its file are read; the rest is skipped.
inline constexpr std::uint64_t kMaxMetricBacklog = std::uint64_t{64} << 20;

/// Follows one replica's file of JSON lines ($VERNIER_METRICS). A file that was
/// replaced or has become shorter is read from its beginning. Holes of sparse
/// files are skipped. At the attempt's end, only the bytes that exist at that
/// moment are read. Not thread-safe.
class MetricLinesFollower {
 public:
  /// `name` is the file's name in its folder. `prefix` is prepended to each
  /// metric's name; it is empty for the chief. `metrics` are the tuned metrics.
  MetricLinesFollower(std::string name, std::string prefix,
                      std::vector<std::string> metrics = {},
                      std::uint64_t max_backlog = kMaxMetricBacklog)
      : name_(std::move(name)),
        prefix_(std::move(prefix)),
        metrics_(std::move(metrics)),
        max_backlog_(max_backlog),
        reader_(0, {}, metrics_) {}

  /// Adds the new lines of the file in `directory` to `fresh`, as
  /// HypertuneFollower does. Returns whether to read again soon.
  bool Read(int directory, LastLine last_line, bool may_skip,
            MetricReading& fresh);

  /// Returns whether the file that was read ends in a cut-off record.
  bool is_truncated() const { return reader_.is_truncated(); }

 private:
  FileReading ReadPart(int fd, std::uint64_t size, LastLine last_line);
  void SkipBacklog(std::uint64_t size, FileReading& reading);

  std::string name_;
  std::string prefix_;
  std::vector<std::string> metrics_;
  std::uint64_t max_backlog_;
  FileState stamp_;
  std::optional<FileState> end_;  // At the first reading after the end.
  std::uint64_t read_at_end_ = 0;
  MetricLinesReader reader_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_METRIC_LINES_FOLLOWER_H_
