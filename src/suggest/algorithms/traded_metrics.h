#ifndef VERNIER_SUGGEST_ALGORITHMS_TRADED_METRICS_H_
#define VERNIER_SUGGEST_ALGORITHMS_TRADED_METRICS_H_

#include <cstddef>
#include <vector>

#include "suggest/space/study_view.h"

namespace vernier {

/// Returns the metrics of a study of several that can be traded for others,
/// ascending: those with enough results for a model, which are not all equal up
/// to rounding. A model of equal values would expect as much from any place
/// that is not yet known, so that the search would only spread. Empty: there
/// are none yet. O(n m).
std::vector<std::size_t> TradedMetrics(const StudyView& view);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ALGORITHMS_TRADED_METRICS_H_
