#ifndef VERNIER_SUGGEST_ALGORITHMS_FRONT_SEARCH_H_
#define VERNIER_SUGGEST_ALGORITHMS_FRONT_SEARCH_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "suggest/algorithms/study_models.h"
#include "suggest/algorithms/suggester.h"
#include "suggest/space/search_space_encoding.h"

namespace vernier {

/// Suggests points for a study of several metrics or with constraints
/// (`view.metrics` is not empty) with at least one feasible result: points that
/// extend the front of the best trade-offs and meet the constraints.
///
/// Each metric has a Gaussian process of its own. Up to kMostFrontMetrics, a
/// point is chosen by the logarithm of the hypervolume that it is expected to
/// add, in the metrics' warped units; with more metrics, by an upper confidence
/// bound in a direction that is drawn for it. The front is that of the
/// posterior means, so that noise makes no result look better than it is. A
/// pending trial is on the front at its predicted place, so that others stay
/// away from there.
///
/// A constraint has a model of its slack. A gain is weighted with the
/// probability that all constraints are met; while no place is expected to meet
/// them, that probability alone is maximized.
///
/// `traded` is TradedMetrics of the view: the others do not count, unless there
/// is none yet.
///
/// Deterministic, and independent of how calls are grouped, as Suggester says.
/// Errors: those of Suggester::Suggest.
absl::StatusOr<std::vector<Suggestion>> SuggestForFront(
    const StudyView& view, std::vector<std::size_t> traded,
    const SearchSpaceEncoding& encoding, int count, StudyModels* models,
    std::string_view instruction_set);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ALGORITHMS_FRONT_SEARCH_H_
