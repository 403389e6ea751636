#ifndef VERNIER_SUGGEST_ALGORITHMS_RELIABLE_RESULT_H_
#define VERNIER_SUGGEST_ALGORITHMS_RELIABLE_RESULT_H_

#include <optional>

#include "suggest/algorithms/suggester.h"
#include "suggest/gp/noise_evidence.h"
#include "suggest/gp/surrogate_model.h"
#include "suggest/space/search_space_encoding.h"
#include "suggest/space/study_view.h"

namespace vernier {

/// Returns the full result of `view` to rely on, of those that meet the
/// constraints, with what `model`, which was made of them, expects there;
/// nullopt if there is none. `noise` is what FindNoise says of the model's
/// data; a variance that was reported with a result counts in any case.
///
/// Without noise it is the best one measured: what the model expects elsewhere
/// is no better than a measurement. With noise the best is partly the luckiest.
/// So of the quarter of the results that was measured best, and of these of
/// those that are not worse than the best by more than noise explains (two
/// standard deviations of the difference), it is the one with the highest lower
/// confidence bound of one standard deviation. (Picheny et al. 2013, "A
/// benchmark of kriging-based infill criteria for noisy optimization", compare
/// such rules.) If the evidence is strong, a value that is better than the
/// model expects by more than three standard deviations of the noise is an
/// outlier, and neither counts as the best nor is relied on. O(k n^2) for k
/// results that are compared.
std::optional<Recommendation> ReliableResult(
    const StudyView& view, const SearchSpaceEncoding& encoding,
    const SurrogateModel& model, NoiseEvidence noise);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ALGORITHMS_RELIABLE_RESULT_H_
