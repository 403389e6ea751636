#ifndef VERNIER_SUGGEST_STOPPING_STOPPING_POLICY_FACTORY_H_
#define VERNIER_SUGGEST_STOPPING_STOPPING_POLICY_FACTORY_H_

#include <memory>

#include "study/early_stopping.h"
#include "suggest/stopping/stopping_policy.h"

namespace vernier {

/// `rule` is not kNone.
std::unique_ptr<StoppingPolicy> MakeStoppingPolicy(
    StoppingRule rule, const EarlyStoppingOptions& options);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_STOPPING_STOPPING_POLICY_FACTORY_H_
