#ifndef VERNIER_SUGGEST_ALGORITHMS_LARGE_STUDY_H_
#define VERNIER_SUGGEST_ALGORITHMS_LARGE_STUDY_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "study/suggestion.h"
#include "suggest/algorithms/suggester.h"
#include "suggest/gp/hyperparameter_prior.h"
#include "suggest/gp/surrogate_model.h"
#include "suggest/space/search_space_encoding.h"
#include "suggest/space/study_view.h"

namespace vernier {

/// The hyperparameters of the models of a large study's parts: length scales as
/// fractions of a part's extent. What is remembered only saves time.
struct PartFit {
  std::int64_t num_results = 0;  ///< Those that it was made from.
  std::uint64_t digest = 0;      ///< Of their merits, and of the space.
  LogHyperparameters theta;
};

/// Returns the merit of each result if SuggestFromParts serves the study:
/// larger is better, and a failure is -infinity. It serves large
/// studies, of more than kMostModelled results, with one metric, without
/// repeats, costs, or trainings that were stopped early, in a space that is not
/// enumerated. nullopt for any other study, which is modelled by up to
/// kMostModelled of its results, however long that takes.
std::optional<std::vector<double>> MeritsForParts(
    const StudyView& view, const SearchSpaceEncoding& encoding);

/// Suggests points for a large study from Gaussian processes of its parts
/// (StudyParts), as Eriksson et al. 2019 ("Scalable global optimization via
/// local Bayesian optimization") do in trust regions.
///
/// Most trials look near the best result. In turn, every few trials look near
/// another good one, between good ones at some distance from each other, or
/// anywhere. Beliefs no longer count. `merits` are those of MeritsForParts. A
/// suggestion takes one pass over all results, and apart from that as long as
/// with a hundred. Errors as Suggester::Suggest, but results outside of the
/// parts are not checked.
absl::StatusOr<std::vector<Suggestion>> SuggestFromParts(
    const StudyView& view, const SearchSpaceEncoding& encoding,
    const std::vector<double>& merits, int count, std::optional<PartFit>* fit,
    std::string_view instruction_set);

/// Returns the result to rely on (ReliableResult) among those of the part near
/// the best one; nullopt if no result is feasible. Costs and errors as
/// SuggestFromParts.
absl::StatusOr<std::optional<Recommendation>> RecommendFromPart(
    const StudyView& view, const SearchSpaceEncoding& encoding,
    const std::vector<double>& merits, std::optional<PartFit>* fit);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ALGORITHMS_LARGE_STUDY_H_
