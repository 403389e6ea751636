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

/// At most `points` (>= 2) of a curve's points: the first, the last, and of
/// each stretch between them the lowest and the highest, so that no spike is
/// lost. Pure. O(n).
std::vector<ShownCurvePoint> Downsample(
    const std::vector<ShownCurvePoint>& curve, std::size_t points);

/// The learning curve that measurements of one trial and one metric draw, by
/// step. Of several values of a step the newest attempt's counts, and of
/// several roads the clearest. NaN and infinity are left out. Pure.
std::vector<ShownCurvePoint> CurveOf(
    const std::vector<Measurement>& measurements);

/// The trials whose curves are shown if nobody asks for certain ones: the best,
/// the newest, and those that run. Ascending. Pure.
std::vector<TrialId> TrialsWithCurves(const StudySnapshot& study);

/// Writes the curves of these trials. Reads the database. Errors: Store's.
absl::Status WriteCurveColumns(const Store& store, const StudySnapshot& study,
                               const std::vector<TrialId>& trials,
                               const std::string& metric, std::size_t points,
                               ColumnWriter* columns);

/// The metrics that trials of the study have reported, the objective first; at
/// most a hundred. Looks at some hundreds of trials. Pure.
std::vector<std::string> MetricNames(const StudySnapshot& study);

}  // namespace vernier

#endif  // VERNIER_FACES_DASHBOARD_CURVE_COLUMNS_H_
