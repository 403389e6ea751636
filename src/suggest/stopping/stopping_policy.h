#ifndef VERNIER_SUGGEST_STOPPING_STOPPING_POLICY_H_
#define VERNIER_SUGGEST_STOPPING_STOPPING_POLICY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "suggest/curves/curve_study.h"

namespace vernier {

enum class TrialAdvice {
  kContinue = 1,
  kStop = 2,
  kPause = 3,
  kResume = 4,  ///< Of a paused trial, in place of a new one.
};

struct StoppingVerdict {
  std::int64_t trial = 0;
  TrialAdvice advice = TrialAdvice::kContinue;
  std::string reason;  ///< One sentence with its numbers; empty: kContinue.
};

/// Decides which trials are worth continuing. Deterministic: verdicts depend on
/// the study and the options alone, so that what a policy remembers only saves
/// time, and a restart changes no verdict. Not thread-safe.
class StoppingPolicy {
 public:
  virtual ~StoppingPolicy() = default;

  /// Returns advice for each running trial that should not continue, and for at
  /// most `free_slots` paused ones that should continue rather than a new one
  /// start; by ascending number. It does not depend on earlier advice.
  virtual std::vector<StoppingVerdict> Judge(const CurveStudy& study,
                                             int free_slots) = 0;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_STOPPING_STOPPING_POLICY_H_
