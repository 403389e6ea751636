#ifndef VERNIER_CLUSTER_METRICS_STDOUT_FOLLOWER_H_
#define VERNIER_CLUSTER_METRICS_STDOUT_FOLLOWER_H_

#include <string>
#include <utility>
#include <vector>

#include "cluster/metrics/files/file_reading.h"
#include "cluster/metrics/files/metric_file_access.h"
#include "cluster/metrics/stdout_metrics.h"
#include "cluster/metrics/thinning.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// Follows what an attempt's chief prints, in its log; of long curves as much
/// as CurveThinner leaves. What the log's cap has dropped before it was read is
/// passed over. Not thread-safe.
class StdoutFollower {
 public:
  explicit StdoutFollower(StdoutRules rules)
      : rules_(std::move(rules)), reader_(rules_) {}
  // The reader refers to the rules.
  StdoutFollower(const StdoutFollower&) = delete;
  StdoutFollower& operator=(const StdoutFollower&) = delete;

  /// Adds what is new to `fresh`; sets has_more if that is not all of it. At
  /// the end of an output that lacks a metric, while it `is_alone` in being
  /// able to say it, that is also what was printed instead.
  void Read(const std::string& attempt_dir, LastLine last_line, bool is_alone,
            MetricReading& fresh);

 private:
  void Finish(bool is_alone, std::vector<Measurement>& kept,
              MetricReading& fresh);

  const StdoutRules rules_;
  StdoutMetricReader reader_;
  CurveThinner thinner_;
  FileState stamp_;  // Of the log's beginning.
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_STDOUT_FOLLOWER_H_
