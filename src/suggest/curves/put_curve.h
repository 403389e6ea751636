#ifndef VERNIER_SUGGEST_CURVES_PUT_CURVE_H_
#define VERNIER_SUGGEST_CURVES_PUT_CURVE_H_

#include <cstdint>

#include "suggest/curves/curve_study.h"

namespace vernier {

/// Puts a trial's curve in its place by number, for the one that may be there.
/// Returns whether that changed anything.
bool PutCurve(TrialCurve curve, CurveStudy* study);

/// Takes the curve of a trial away. Returns whether there was one.
bool DropCurve(std::int64_t trial, CurveStudy* study);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_CURVES_PUT_CURVE_H_
