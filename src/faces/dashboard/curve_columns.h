#ifndef VERNIER_FACES_DASHBOARD_CURVE_COLUMNS_H_
#define VERNIER_FACES_DASHBOARD_CURVE_COLUMNS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "faces/dashboard/columns.h"
#include "store/store.h"

namespace vernier {

/// One point of a learning curve.
struct ShownCurvePoint {
  double step = 0;
  float value = 0;

  friend bool operator==(const ShownCurvePoint&,
                         const ShownCurvePoint&) = default;
};

/// Returns at most `points` (>= 2) of a curve's points: the first, the last,
/// and the lowest and the highest of each stretch between them, so that no
/// spike is lost. Pure. O(n).
std::vector<ShownCurvePoint> Downsample(
    const std::vector<ShownCurvePoint>& curve, std::size_t points);

/// Returns the learning curve of one trial and one metric from its
/// measurements, by step. Of several values of a step the newest attempt's
/// counts, and of several sources the most explicit one. NaN and infinity are
/// left out. Pure.
std::vector<ShownCurvePoint> CurveOf(
    const std::vector<Measurement>& measurements);

/// Returns the trials whose curves are shown by default: the best, the newest,
/// and the running ones. Ascending. Pure.
std::vector<TrialId> TrialsWithCurves(const StudySnapshot& study);

/// Writes the curves of these trials. Reads the database. Errors: Store's.
absl::Status WriteCurveColumns(const Store& store, const StudySnapshot& study,
                               const std::vector<TrialId>& trials,
                               const std::string& metric, std::size_t points,
                               ColumnWriter* columns);

/// Returns the metrics that trials of the study have reported, the objective
/// first; at most a hundred. Reads some hundreds of trials. Pure.
std::vector<std::string> MetricNames(const StudySnapshot& study);

}  // namespace vernier

#endif  // VERNIER_FACES_DASHBOARD_CURVE_COLUMNS_H_
