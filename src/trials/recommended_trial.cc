#include "trials/recommended_trial.h"

#include <vector>

#include "base/status_macros.h"
#include "suggest/algorithms/suggester.h"
#include "suggest/suggester_factory.h"
#include "trials/study_view.h"

namespace vernier {

absl::StatusOr<std::optional<RecommendedTrial>> RecommendTrial(
    const StudySnapshot& study) {
  // Several metrics have a front.
  if (study.spec->metrics.size() > 1) return std::nullopt;
  const std::vector<TrialId> observed = ObservedTrials(study);
  if (observed.empty() || study.spec->parameters.empty()) {
    return std::nullopt;
  }
  VERNIER_ASSIGN_OR_RETURN(const std::optional<Recommendation> recommendation,
                           MakeSuggester(Algorithm::kDefault)
                               ->Recommend(MakeStudyView(study, observed)));
  if (!recommendation.has_value()) return std::nullopt;
  return RecommendedTrial{observed[recommendation->completed],
                          recommendation->prediction};
}

}  // namespace vernier
