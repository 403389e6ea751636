#ifndef VERNIER_SUGGEST_INSIGHTS_CALIBRATION_H_
#define VERNIER_SUGGEST_INSIGHTS_CALIBRATION_H_

#include "suggest/insights/examined_study.h"
#include "suggest/insights/insights.h"

namespace vernier {

/// Compares each full result with its prediction from the others, in the order
/// of the results. Repetitions of a point are left out together. The comparison
/// omits results outside the model's rows, of which there are 2,000 at most,
/// and those that have no value of their own.
///
/// The warp of the targets and the hyperparameters have seen the result, too,
/// so the comparison is slightly optimistic.
Calibration Calibrate(const ExaminedStudy& study);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_INSIGHTS_CALIBRATION_H_
