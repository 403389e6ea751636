#include "suggest/stopping/metrics_policy_factory.h"

#include "suggest/stopping/every_metric_policy.h"
#include "suggest/stopping/front_policy.h"

namespace vernier {

std::unique_ptr<MetricsPolicy> MakeMetricsPolicy(
    StoppingRule rule, const EarlyStoppingOptions& options,
    const std::vector<std::shared_ptr<CurveModelCache>>& models) {
  if (rule == StoppingRule::kAuto || rule == StoppingRule::kDecayCurve) {
    return std::make_unique<FrontPolicy>(options, models);
  }
  return std::make_unique<EveryMetricPolicy>(rule, options, models.size());
}

}  // namespace vernier
