#ifndef VERNIER_SUGGEST_ALGORITHMS_AUTO_REPEAT_H_
#define VERNIER_SUGGEST_ALGORITHMS_AUTO_REPEAT_H_

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "study/suggestion.h"
#include "suggest/gp/gaussian_process.h"
#include "suggest/space/point_results.h"
#include "suggest/space/search_space_encoding.h"

namespace vernier {

/// Returns the point whose repeat pays more than a trial at the encoded `point`
/// that was chosen to be tried next, as a suggestion without counts; nullopt if
/// none does. Without a `point`, the one whose repeat pays most.
///
/// The gain of a trial is by how much it is expected to raise the largest
/// posterior mean among the best points and `point` (KnowledgeGradients): that
/// of the point that will be recommended. A repeat pays if that is more than
/// twice the gain of `point`. Nothing is repeated if the noise is
/// next to nothing beside the spread of the results, or if repeats gave the
/// same value each time; no point is tried more than `trials` times, running
/// trials included (`running`, as NextRepeat has it). Pure. O(points n D).
std::optional<Suggestion> RepeatThatPays(
    const PointTable& points, const std::vector<int>& running, int trials,
    const SearchSpaceEncoding& encoding, const GaussianProcess& gp,
    const std::optional<Eigen::RowVectorXd>& point);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ALGORITHMS_AUTO_REPEAT_H_
