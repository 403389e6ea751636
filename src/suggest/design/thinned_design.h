#ifndef VERNIER_SUGGEST_DESIGN_THINNED_DESIGN_H_
#define VERNIER_SUGGEST_DESIGN_THINNED_DESIGN_H_

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <random>

#include "absl/status/statusor.h"
#include "study/suggestion.h"
#include "suggest/space/search_space_encoding.h"
#include "suggest/space/study_view.h"
#include "suggest/space/tried_points.h"

namespace vernier {

/// While all trials fail, one of this many lies as far as possible from those
/// before, and the others are spread evenly: the farthest places are corners
/// and edges, and what lives may as well be in between. No power of two, or the
/// others would leave out a stratum of the sequence.
inline constexpr std::int64_t kAwayPeriod = 5;

/// Returns the natural logarithm of the probability that a trial at each of the
/// m rows (m x D) is of use.
using LogChance = std::function<Eigen::VectorXd(
    const Eigen::Ref<const Eigen::MatrixXd>& rows)>;

/// Returns the next point of the study's scrambled Sobol' sequence beyond its
/// initial design that is untried and that the sequence, thinned by
/// `log_chance`, keeps: each point stays with the probability that a trial
/// there is of use. So trials spread evenly over what is likely to be of use,
/// and now and then look at the rest. If it keeps none of the first few
/// thousand, the likeliest of these; if all of these were tried, a random
/// untried one.
///
/// A function of its arguments alone. Errors of TriedPoints::Resolve.
absl::StatusOr<Suggestion> ThinnedDesignPoint(
    const StudyView& view, const SearchSpaceEncoding& encoding,
    const TriedPoints& tried, const LogChance& log_chance,
    std::mt19937_64& rng);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_DESIGN_THINNED_DESIGN_H_
