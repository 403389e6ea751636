#include "study/trial_end.h"

namespace vernier {
namespace {

constexpr bool LawsAreInTheirPlaces() {
  for (std::size_t i = 0; i < std::size(kTrialEndLaws); ++i) {
    if (static_cast<std::size_t>(kTrialEndLaws[i].cause) != i) return false;
  }
  return true;
}
static_assert(LawsAreInTheirPlaces(), "LawOf finds a law by its number");
static_assert(std::size(kTrialEndLaws) ==
              static_cast<std::size_t>(kLastEndCause) + 1);

}  // namespace

std::string_view ToString(TrialEndCause cause) {
  const TrialEndLaw& law = LawOf(cause);
  return law.cause == cause ? law.name : "unknown";
}

std::string_view ToString(FailureKind kind) {
  switch (kind) {
    case FailureKind::kNone:
      return "";
    case FailureKind::kOutOfMemory:
      return "OUT_OF_MEMORY";
    case FailureKind::kDivergence:
      return "DIVERGENCE";
    case FailureKind::kTimeLimit:
      return "TIME_LIMIT";
    case FailureKind::kOther:
      return "OTHER";
  }
  return "";
}

}  // namespace vernier
