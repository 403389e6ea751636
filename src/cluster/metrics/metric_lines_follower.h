#ifndef VERNIER_CLUSTER_METRICS_METRIC_LINES_FOLLOWER_H_
#define VERNIER_CLUSTER_METRICS_METRIC_LINES_FOLLOWER_H_

#include <string>

#include "cluster/metrics/files/file_reading.h"
#include "cluster/metrics/files/metric_file_access.h"
#include "cluster/metrics/metric_lines.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// Follows one replica's file of JSON lines ($VERNIER_METRICS). A file that was
/// replaced or has become shorter is read from its beginning. Not thread-safe.
class MetricLinesFollower {
 public:
  /// `name` is the file's in its folder; `prefix` goes before each metric's
  /// name, and is empty for the chief.
  MetricLinesFollower(std::string name, std::string prefix)
      : name_(std::move(name)), prefix_(std::move(prefix)) {}

  /// Adds what is new in the file in `directory` to `fresh`, as
  /// HypertuneFollower does. Returns whether to look again soon.
  bool Read(int directory, LastLine last_line, bool may_skip,
            MetricReading& fresh);

 private:
  std::string name_;
  std::string prefix_;
  FileState stamp_;
  MetricLinesReader reader_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_METRIC_LINES_FOLLOWER_H_
