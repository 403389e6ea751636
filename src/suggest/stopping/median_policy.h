#ifndef VERNIER_SUGGEST_STOPPING_MEDIAN_POLICY_H_
#define VERNIER_SUGGEST_STOPPING_MEDIAN_POLICY_H_

#include <vector>

#include "study/early_stopping.h"
#include "suggest/stopping/stopping_policy.h"

namespace vernier {

/// The median stopping rule (median_stopping_rule.h) on a study's curves.
/// Never pauses or resumes.
class MedianPolicy final : public StoppingPolicy {
 public:
  explicit MedianPolicy(const EarlyStoppingOptions& options)
      : options_(options) {}

  std::vector<StoppingVerdict> Judge(const CurveStudy& study,
                                     int free_slots) override;

 private:
  const EarlyStoppingOptions options_;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_STOPPING_MEDIAN_POLICY_H_
