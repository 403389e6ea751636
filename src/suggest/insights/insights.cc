#include "suggest/insights/insights.h"

namespace vernier {

const char* AdviceName(AdviceKind kind) {
  switch (kind) {
    case AdviceKind::kAtUpperBound:
      return "AT_UPPER_BOUND";
    case AdviceKind::kAtLowerBound:
      return "AT_LOWER_BOUND";
    case AdviceKind::kUnimportant:
      return "UNIMPORTANT";
    case AdviceKind::kNarrow:
      return "NARROW";
    case AdviceKind::kNoisy:
      return "NOISY";
  }
  return "";
}

}  // namespace vernier
