#ifndef VERNIER_SUGGEST_CURVES_REPORT_NOISE_H_
#define VERNIER_SUGGEST_CURVES_REPORT_NOISE_H_

#include "suggest/curves/curve_study.h"

namespace vernier {

/// Returns the standard deviation, in the user's units, of the noise in a
/// report of `study`. It follows from the distance of a report from the cubic
/// through the two before and the two after it, which a curve without noise
/// hardly leaves. It is a robust mean over the second halves of the complete
/// trainings, where noise matters. 0 if no training has five reports there.
/// Pure. O(n log n) for n reports.
double NoiseOfReports(const CurveStudy& study);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_CURVES_REPORT_NOISE_H_
