#ifndef VERNIER_SUGGEST_STOPPING_EVERY_METRIC_POLICY_H_
#define VERNIER_SUGGEST_STOPPING_EVERY_METRIC_POLICY_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "study/early_stopping.h"
#include "suggest/stopping/metrics_policy.h"
#include "suggest/stopping/stopping_policy.h"

namespace vernier {

/// Gives a trial up where a rule for one metric would do so by each of its
/// metrics, and resumes it where the rule would do so by any. A trial that is
/// good in one metric may be on the front, however bad it is in the others. So
/// a metric that is only reported at the end keeps every trial.
class EveryMetricPolicy final : public MetricsPolicy {
 public:
  /// `rule` is not kNone.
  EveryMetricPolicy(StoppingRule rule, const EarlyStoppingOptions& options,
                    std::size_t num_metrics);

  std::vector<StoppingVerdict> Judge(const std::vector<MetricCurves>& metrics,
                                     int free_slots) override;

 private:
  std::vector<std::unique_ptr<StoppingPolicy>> policies_;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_STOPPING_EVERY_METRIC_POLICY_H_
