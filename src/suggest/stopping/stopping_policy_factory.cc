#include "suggest/stopping/stopping_policy_factory.h"

#include <utility>

#include "base/check.h"
#include "suggest/stopping/decay_curve_policy.h"
#include "suggest/stopping/median_policy.h"
#include "suggest/stopping/rung_policy.h"

namespace vernier {

std::unique_ptr<StoppingPolicy> MakeStoppingPolicy(
    StoppingRule rule, const EarlyStoppingOptions& options,
    std::shared_ptr<CurveModelCache> models) {
  switch (rule) {
    case StoppingRule::kNone:
      break;
    case StoppingRule::kMedian:
      return std::make_unique<MedianPolicy>(options);
    case StoppingRule::kAuto:  // The best in bench/duel/RESULTS.md: curves.
    case StoppingRule::kDecayCurve:
      if (models == nullptr)
        models = std::make_shared<CurveModelCache>(options);
      return std::make_unique<DecayCurvePolicy>(options, std::move(models));
    case StoppingRule::kAsha:
      return std::make_unique<RungPolicy>(RungPolicy::Kind::kAsha, options);
    case StoppingRule::kHyperband:
      return std::make_unique<RungPolicy>(RungPolicy::Kind::kHyperband,
                                          options);
  }
  VERNIER_CHECK(false);
  return nullptr;
}

}  // namespace vernier
