#ifndef VERNIER_SUGGEST_STOPPING_METRICS_POLICY_H_
#define VERNIER_SUGGEST_STOPPING_METRICS_POLICY_H_

#include <string>
#include <vector>

#include "suggest/curves/curve_study.h"
#include "suggest/stopping/stopping_policy.h"

namespace vernier {

/// The curves of one metric of a study of several.
struct MetricCurves {
  std::string name;
  /// The study with this metric's goal, reports and final values. A trial that
  /// has not reported this metric is not in it. Not null.
  const CurveStudy* study = nullptr;
};

/// Decides which trials of a study of several metrics are worth continuing, as
/// StoppingPolicy does for one metric. Not thread-safe.
class MetricsPolicy {
 public:
  virtual ~MetricsPolicy() = default;

  /// As StoppingPolicy::Judge. `metrics` are at least two, in the same order at
  /// each call.
  virtual std::vector<StoppingVerdict> Judge(
      const std::vector<MetricCurves>& metrics, int free_slots) = 0;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_STOPPING_METRICS_POLICY_H_
