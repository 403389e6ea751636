#ifndef VERNIER_SUGGEST_FRONT_LEAST_USEFUL_H_
#define VERNIER_SUGGEST_FRONT_LEAST_USEFUL_H_

#include <cstddef>
#include <optional>

#include "suggest/space/study_view.h"

namespace vernier {

/// Returns `view` with Observation::least_useful set, for a study with
/// constraints of whose metrics one alone counts.
///
/// The best value that meets the constraints may be worse than most values, and
/// the model must still see the differences near it. So after each result, the
/// useful range reaches as far below the best value so far that meets the
/// constraints as the best of all lies above it. Results before the first that
/// meets them get nothing. Depends on earlier results only. O(n).
StudyView WithLeastUseful(const StudyView& view, std::size_t metric = 0);

/// The same for a study of several metrics: returns ViewOfMetric(view, metric)
/// with Observation::least_useful set.
///
/// A front reaches to bad values of each metric, but not to absurd ones. The
/// useful range of a metric ends at the worst of the first ten values, or three
/// times as far below their median as the best of them lies
/// above it, whichever is better. Later results do not count, because they lie
/// where the search looked.
/// Depends on earlier results only. O(n).
StudyView MetricWithLeastUseful(const StudyView& view, std::size_t metric);

/// Returns the merit below which differences hardly count after all results;
/// nullopt: the median.
std::optional<double> LeastUsefulOf(const StudyView& single);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_FRONT_LEAST_USEFUL_H_
