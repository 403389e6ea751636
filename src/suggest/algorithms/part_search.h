#ifndef VERNIER_SUGGEST_ALGORITHMS_PART_SEARCH_H_
#define VERNIER_SUGGEST_ALGORITHMS_PART_SEARCH_H_

#include <cstdint>
#include <optional>
#include <random>

#include "absl/status/statusor.h"
#include "study/suggestion.h"
#include "suggest/gp/hyperparameter_prior.h"
#include "suggest/gp/noise_evidence.h"
#include "suggest/gp/surrogate_model.h"
#include "suggest/space/search_space_encoding.h"
#include "suggest/space/study_view.h"
#include "suggest/space/tried_points.h"

namespace vernier {

/// A search by a Gaussian process of few results that lie near each other
/// (StudyParts). A part may be smaller than the space by many powers of ten, so
/// its hyperparameters are those of the part when it is stretched to the size
/// of a space: length scales are fractions of its extent. They suit other
/// parts, too.

/// Returns the most probable hyperparameters of the stretched `part`, which has
/// results. Errors: those of FitHyperparameters.
absl::StatusOr<LogHyperparameters> FitPart(const StudyView& part,
                                           const SearchSpaceEncoding& encoding);

/// Returns the model of the part by hyperparameters of FitPart. `num_fitted` is
/// the number of results that `stretched` was made from. Errors: those of
/// GaussianProcess::Create.
absl::StatusOr<SurrogateModel> ModelOfPart(const StudyView& part,
                                           const SearchSpaceEncoding& encoding,
                                           const LogHyperparameters& stretched,
                                           std::int64_t num_fitted);

/// FindNoise of the stretched part, whose model is given.
absl::StatusOr<NoiseEvidence> FindNoiseInPart(const SurrogateModel& part);

/// Chooses the point for `trial` with the largest expected improvement over the
/// part's best, or, with trials pending, the highest confidence bound. nullopt
/// if only tried points were found. The model is that of ModelOfPart. Failures
/// count as bad values.
absl::StatusOr<std::optional<Suggestion>> SuggestInPart(
    const StudyView& part, const SearchSpaceEncoding& encoding,
    const LogHyperparameters& stretched, std::int64_t num_fitted,
    std::int64_t trial, const TriedPoints& tried, std::mt19937_64& rng);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ALGORITHMS_PART_SEARCH_H_
