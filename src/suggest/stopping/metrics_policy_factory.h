#ifndef VERNIER_SUGGEST_STOPPING_METRICS_POLICY_FACTORY_H_
#define VERNIER_SUGGEST_STOPPING_METRICS_POLICY_FACTORY_H_

#include <memory>
#include <vector>

#include "study/early_stopping.h"
#include "suggest/curves/curve_model_cache.h"
#include "suggest/stopping/metrics_policy.h"

namespace vernier {

/// Returns the policy for `rule`, which is not kNone. `models`, made for the
/// same options, are those of the metrics, for a rule that predicts.
std::unique_ptr<MetricsPolicy> MakeMetricsPolicy(
    StoppingRule rule, const EarlyStoppingOptions& options,
    const std::vector<std::shared_ptr<CurveModelCache>>& models);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_STOPPING_METRICS_POLICY_FACTORY_H_
