#include "trials/recommendations.h"

#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "trials/study_view.h"

namespace vernier {
namespace {

// Beyond this number the oldest study is forgotten, which costs only a new fit.
constexpr std::size_t kMostRemembered = 100;

}  // namespace

absl::StatusOr<Recommendations::Answer> Recommendations::Of(
    const StudySnapshot& study, Patience patience) {
  const bool may_fit =
      patience == Patience::kWait || !HasMoreObservedThan(study, kFewTrials);
  // Most often nobody has waited for this study's model.
  if (!may_fit && !IsRemembered(study.id)) return Answer{false, std::nullopt};
  std::vector<TrialId> observed = ObservedTrials(study);
  {
    const MutexLock lock(mu_);
    const auto found = remembered_.find(study.id);
    if (found != remembered_.end() && found->second.observed == observed) {
      return Answer{true, found->second.trial};
    }
  }
  if (!may_fit) return Answer{false, std::nullopt};
  VERNIER_ASSIGN_OR_RETURN(const std::optional<RecommendedTrial> trial,
                           recommend_(study));
  const MutexLock lock(mu_);
  remembered_[study.id] = {std::move(observed), trial};
  if (remembered_.size() > kMostRemembered) {
    remembered_.erase(remembered_.begin());
  }
  return Answer{true, trial};
}

bool Recommendations::IsRemembered(StudyId study) const {
  const MutexLock lock(mu_);
  return remembered_.count(study) > 0;
}

}  // namespace vernier
