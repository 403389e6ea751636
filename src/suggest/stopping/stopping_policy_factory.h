#ifndef VERNIER_SUGGEST_STOPPING_STOPPING_POLICY_FACTORY_H_
#define VERNIER_SUGGEST_STOPPING_STOPPING_POLICY_FACTORY_H_

#include <memory>

#include "study/early_stopping.h"
#include "suggest/curves/curve_model_cache.h"
#include "suggest/stopping/stopping_policy.h"

namespace vernier {

/// Returns the policy for `rule`, which is not kNone. `models`, made for the
/// same options, are for a rule that predicts; null: it uses its own.
std::unique_ptr<StoppingPolicy> MakeStoppingPolicy(
    StoppingRule rule, const EarlyStoppingOptions& options,
    std::shared_ptr<CurveModelCache> models = nullptr);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_STOPPING_STOPPING_POLICY_FACTORY_H_
