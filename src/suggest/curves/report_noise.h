#ifndef VERNIER_SUGGEST_CURVES_REPORT_NOISE_H_
#define VERNIER_SUGGEST_CURVES_REPORT_NOISE_H_

#include "suggest/curves/curve_study.h"

namespace vernier {

/// The standard deviation, in the user's units, of what chance adds to a report
/// of `study`: how far a report lies from the cubic through the two before and
/// the two after it, which a curve without noise hardly leaves. It is a robust
/// mean over the second halves of the complete trainings, where it decides. 0
/// where no training has five reports there. Pure. O(n log n) for n reports.
double NoiseOfReports(const CurveStudy& study);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_CURVES_REPORT_NOISE_H_
