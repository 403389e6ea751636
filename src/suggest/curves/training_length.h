#ifndef VERNIER_SUGGEST_CURVES_TRAINING_LENGTH_H_
#define VERNIER_SUGGEST_CURVES_TRAINING_LENGTH_H_

#include <cstdint>
#include <optional>

#include "suggest/curves/curve_study.h"

namespace vernier {

/// Returns the last step of a whole training: the options' max_steps, or else
/// the median last step of the trainings that came to their own end. nullopt if
/// that is not known yet, or below 2, so that there is nothing to cut short. At
/// most 2^53.
std::optional<std::int64_t> TrainingLength(const CurveStudy& study,
                                           const EarlyStoppingOptions& options);

/// True if `value` is as good as the final value of every trial that breaks no
/// constraint, also if there is none. Such a trial is never stopped.
bool IsBestSoFar(const CurveStudy& study, double value);

/// Returns the best value of a curve, which is not empty.
double BestValue(const Curve& curve, Goal goal);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_CURVES_TRAINING_LENGTH_H_
