#ifndef VERNIER_SUGGEST_INSIGHTS_CALIBRATION_H_
#define VERNIER_SUGGEST_INSIGHTS_CALIBRATION_H_

#include "suggest/insights/examined_study.h"
#include "suggest/insights/insights.h"

namespace vernier {

/// Compares each full result with what the others say about it, in the order of
/// the results. Repetitions of a point are left out together. Results outside
/// the model's rows, of which there are 2,000 at most, and those that have no
/// value of their own, are left out of the comparison.
///
/// The warp of the targets and the hyperparameters have seen the result, too,
/// so the comparison is a little kinder than the future.
Calibration Calibrate(const ExaminedStudy& study);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_INSIGHTS_CALIBRATION_H_
