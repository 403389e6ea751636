#ifndef VERNIER_STUDY_STEP_VALUE_H_
#define VERNIER_STUDY_STEP_VALUE_H_

namespace vernier {

/// Returns first + number * step without the digits that only come from adding
/// fractions: 0.3, and not 0.30000000000000004. Other tools' ranges with a step
/// are listed with it. Pure.
double StepValue(double first, double step, double number);

}  // namespace vernier

#endif  // VERNIER_STUDY_STEP_VALUE_H_
