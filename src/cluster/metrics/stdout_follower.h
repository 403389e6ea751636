#ifndef VERNIER_CLUSTER_METRICS_STDOUT_FOLLOWER_H_
#define VERNIER_CLUSTER_METRICS_STDOUT_FOLLOWER_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "cluster/metrics/files/file_reading.h"
#include "cluster/metrics/files/metric_file_access.h"
#include "cluster/metrics/stdout_metrics.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// Of the values that a program prints so many are taken at first, and so many
/// more a second; beyond that they are Thinned. A program may print its loss a
/// thousand times a second for days, and does not mean all that to be kept.
inline constexpr double kPrintedAtFirst = 1000;
inline constexpr double kPrintedPerSecond = 10;

/// Follows what an attempt's chief prints, in its log. What the log's cap has
/// dropped before it was read is passed over. Not thread-safe.
class StdoutFollower {
 public:
  explicit StdoutFollower(StdoutRules rules)
      : rules_(std::move(rules)), reader_(rules_) {}
  // The reader refers to the rules.
  StdoutFollower(const StdoutFollower&) = delete;
  StdoutFollower& operator=(const StdoutFollower&) = delete;

  /// Adds what is new to `fresh`; sets has_more if that is not all of it.
  void Read(const std::string& attempt_dir, LastLine last_line,
            const Clock& clock, MetricReading& fresh);

 private:
  void Give(std::vector<Measurement> measurements, SteadyTime now,
            MetricReading& fresh);

  const StdoutRules rules_;
  StdoutMetricReader reader_;
  FileState stamp_;  // Of the log's beginning.
  double allowance_ = kPrintedAtFirst;
  std::optional<SteadyTime> last_given_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_STDOUT_FOLLOWER_H_
