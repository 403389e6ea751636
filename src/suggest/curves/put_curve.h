#ifndef VERNIER_SUGGEST_CURVES_PUT_CURVE_H_
#define VERNIER_SUGGEST_CURVES_PUT_CURVE_H_

#include <cstdint>

#include "suggest/curves/curve_study.h"

namespace vernier {

/// Stores a trial's curve at its place by number, replacing one that is there.
/// Returns true if that changed anything.
bool PutCurve(TrialCurve curve, CurveStudy* study);

/// Removes the curve of a trial. Returns true if there was one.
bool DropCurve(std::int64_t trial, CurveStudy* study);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_CURVES_PUT_CURVE_H_
