#ifndef VERNIER_TRIALS_RECOMMENDED_TRIAL_H_
#define VERNIER_TRIALS_RECOMMENDED_TRIAL_H_

#include <optional>

#include "absl/status/statusor.h"
#include "store/store.h"
#include "study/suggestion.h"

namespace vernier {

/// The trial to rely on. It may differ from the one with the best value, which
/// may be due to noise.
struct RecommendedTrial {
  TrialId trial{};
  std::optional<Prediction> prediction;  ///< Unset without a model.
};

/// Uses the model of the default algorithm, whichever chose the trials. nullopt
/// if no trial has a value to rely on, the job tunes nothing, or it has several
/// metrics, whose front takes the place of one trial. Fits a model,
/// which takes up to a second with thousands of trials. Pure.
///
/// Errors: those of Suggester::Recommend.
absl::StatusOr<std::optional<RecommendedTrial>> RecommendTrial(
    const StudySnapshot& study);

}  // namespace vernier

#endif  // VERNIER_TRIALS_RECOMMENDED_TRIAL_H_
