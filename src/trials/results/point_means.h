#ifndef VERNIER_TRIALS_RESULTS_POINT_MEANS_H_
#define VERNIER_TRIALS_RESULTS_POINT_MEANS_H_

#include <optional>
#include <vector>

#include "store/store.h"
#include "suggest/space/point_results.h"

namespace vernier {

/// The results at one point of a study that repeats points, in the metric's own
/// units.
struct PointMean {
  TrialId trial{};  ///< The first of the point that has a result.
  int count = 0;    ///< Results.
  double mean = 0;
  /// Half the width of the 95 % interval of the mean, with the noise of all
  /// points; nullopt while no point has a second result.
  std::optional<double> half_interval;
};

/// Returns the points of a study with a single objective: its trials that
/// MayBeBest, by equal parameters. A trial that shows its point to be
/// infeasible, or was stopped early there, rules the point out. O(n).
PointTable PointsOf(const StudySnapshot& study);

/// Returns the point of `points`, which must be PointsOf the study, in its
/// units.
PointMean MeanOf(const StudySnapshot& study, const PointTable& points,
                 const PointResults& point);

/// Returns the point of a trial; nullopt if the study repeats no points, or the
/// trial's point has no result. O(n).
std::optional<PointMean> PointMeanOf(const StudySnapshot& study, TrialId trial);

/// Returns the points with several results, best first (PointTable::Bound), at
/// most `most`; empty if the study repeats no points. O(n log n).
std::vector<PointMean> RepeatedPoints(const StudySnapshot& study,
                                      std::size_t most);

}  // namespace vernier

#endif  // VERNIER_TRIALS_RESULTS_POINT_MEANS_H_
