#include "suggest/curves/put_curve.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace vernier {
namespace {

std::vector<TrialCurve>::iterator PlaceOf(std::int64_t trial,
                                          CurveStudy* study) {
  return std::lower_bound(study->trials.begin(), study->trials.end(), trial,
                          [](const TrialCurve& curve, std::int64_t number) {
                            return curve.trial < number;
                          });
}

}  // namespace

bool PutCurve(TrialCurve curve, CurveStudy* study) {
  const auto at = PlaceOf(curve.trial, study);
  if (at == study->trials.end() || at->trial != curve.trial) {
    study->trials.insert(at, std::move(curve));
  } else if (*at == curve) {
    return false;
  } else {
    *at = std::move(curve);
  }
  return true;
}

bool DropCurve(std::int64_t trial, CurveStudy* study) {
  const auto at = PlaceOf(trial, study);
  if (at == study->trials.end() || at->trial != trial) return false;
  study->trials.erase(at);
  return true;
}

}  // namespace vernier
